package dev.satchel.runner.sandbox.egress;

import dev.satchel.runner.net.ForbiddenTargetException;
import dev.satchel.runner.net.HostAndPort;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Resolves a target to an address, or throws {@link ForbiddenTargetException}. */
@FunctionalInterface
public interface EgressPolicy {
    InetSocketAddress resolve(HostAndPort target) throws IOException;
}
