package dev.satchel.runner.model;

import dev.satchel.runner.net.ForbiddenTargetException;
import dev.satchel.runner.net.PrivateHosts;
import dev.satchel.runner.net.HostAndPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;

/** Where a call to a model may go. */
@FunctionalInterface
interface EndpointPolicy {
    EndpointPolicy ANY = _ -> {};

    /** Refuses with a {@link ForbiddenTargetException}; asked right before every call. */
    void check(URI address) throws IOException;

    /**
     * The public network and what the operator has listed, told in words for people. It does not
     * bind: the name may lead elsewhere a moment later, so such calls go through a proxy that
     * connects to the very address it has looked at.
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
        int usual = "https".equals(address.getScheme()) ? 443 : 80;
        String authority = String.valueOf(address.getRawAuthority());
        try {
            return HostAndPort.parse(authority, usual);
        } catch (IllegalArgumentException e) {
            throw new ForbiddenTargetException(authority + " is not a plain host");
        }
    }
}
