package dev.satchel.runner.model;

import dev.satchel.http.outbound.ForbiddenTargetException;
import dev.satchel.http.outbound.HostAndPort;
import dev.satchel.http.outbound.PrivateHosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;

/** Decides to which addresses calls to a model are allowed. */
@FunctionalInterface
interface EndpointPolicy {
    EndpointPolicy ANY = _ -> {};

    /** Throws a {@link ForbiddenTargetException}; called before every call to a model. */
    void check(URI address) throws IOException;

    /**
     * Allows the public network and the listed hosts. This check only gives a clear message: a name
     * can resolve to another address a moment later, so such calls go through a proxy that connects
     * to the address it has checked.
     */
    static EndpointPolicy within(PrivateHosts privateHosts) {
        return address -> {
            HostAndPort target = target(address);
            for (InetAddress found : InetAddress.getAllByName(target.host())) {
                if (!privateHosts.mayReach(target, found)) {
                    throw new ForbiddenTargetException(
                            target.host() + " leads to a private address");
                }
            }
        };
    }

    private static HostAndPort target(URI address) throws IOException {
        int defaultPort = "https".equals(address.getScheme()) ? 443 : 80;
        String authority = String.valueOf(address.getRawAuthority());
        try {
            return HostAndPort.parse(authority, defaultPort);
        } catch (IllegalArgumentException e) {
            throw new ForbiddenTargetException(authority + " is not a plain host");
        }
    }
}
