package dev.satchel.http.outbound;

import java.io.IOException;
import java.net.InetSocketAddress;

/** Resolves a target to an address, or throws {@link ForbiddenTargetException}. */
@FunctionalInterface
public interface EgressPolicy {
    InetSocketAddress resolve(HostAndPort target) throws IOException;
}
