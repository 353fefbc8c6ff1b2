package dev.satchel.runner.model;

import dev.satchel.http.outbound.ForbiddenTargetException;
import dev.satchel.http.outbound.HostAndPort;
import dev.satchel.http.outbound.ReachableHosts;
import java.io.IOException;
import java.net.URI;

/** Decides to which addresses calls to a model are allowed. */
@FunctionalInterface
interface EndpointPolicy {
    EndpointPolicy ANY = _ -> {};

    /** Throws a {@link ForbiddenTargetException}; called before every call to a model. */
    void check(URI address) throws IOException;

    /**
     * Allows what the operator lets agents reach. This check only gives a clear message: a name can
     * resolve to another address a moment later, so such calls go through a proxy that connects to
     * the address it has checked.
     */
    static EndpointPolicy within(ReachableHosts reachableHosts) {
        return address -> reachableHosts.check(target(address));
    }

    private static HostAndPort target(URI address) throws IOException {
        int defaultPort = "https".equals(address.getScheme()) ? 443 : 80;
        String authority = String.valueOf(address.getRawAuthority());
        try {
            return HostAndPort.parse(authority, defaultPort);
        } catch (IllegalArgumentException _) {
            throw new ForbiddenTargetException(authority, "it is not a plain host");
        }
    }
}
