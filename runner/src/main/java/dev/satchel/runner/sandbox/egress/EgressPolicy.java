package dev.satchel.runner.sandbox.egress;

import dev.satchel.runner.net.ForbiddenTargetException;
import dev.satchel.runner.net.Target;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Finds the one address to connect to; refuses with a {@link ForbiddenTargetException}. */
@FunctionalInterface
public interface EgressPolicy {
    InetSocketAddress resolve(Target target) throws IOException;
}
