package dev.satchel.http.outbound;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The hosts that the operator lets agents reach: public ones below a ceiling, and private ones that
 * are listed. Requests of an agent come from a tenant, so they reach nothing else of this machine
 * and its network.
 */
public record ReachableHosts(List<Entry> privateHosts, EgressCeiling ceiling) {
    public static final String VARIABLE = "SATCHEL_PRIVATE_HOSTS";
    public static final ReachableHosts NONE = new ReachableHosts(List.of(), EgressCeiling.NONE);

    private static final int ANY_PORT = 1; // for parsing an entry without a port

    public ReachableHosts {
        privateHosts = List.copyOf(privateHosts);
    }

    /** A name or an address; without a port all ports are allowed. */
    public record Entry(String host, OptionalInt port) {
        public Entry {
            if (PublicAddresses.isLiteral(host)) {
                InetAddress _ = address(host); // refuses an invalid address
            }
        }

        static Entry parse(String text) {
            HostAndPort target = HostAndPort.parse(text, ANY_PORT);
            boolean named = text.matches(".*[^:]:[0-9]+");
            return new Entry(
                    target.host(), named ? OptionalInt.of(target.port()) : OptionalInt.empty());
        }

        boolean allows(HostAndPort target, InetAddress address) {
            boolean portFits = port.isEmpty() || port.getAsInt() == target.port();
            return portFits && (host.equals(target.host()) || isAddress(address));
        }

        private boolean isAddress(InetAddress address) {
            return PublicAddresses.isLiteral(host) && address(host).equals(address);
        }

        private static InetAddress address(String literal) {
            return InetAddress.ofLiteral(literal.replaceAll("[\\[\\]]", ""));
        }
    }

    /**
     * Reads the lists of the operator, whose entries are separated by commas. An invalid entry is
     * an IllegalArgumentException that names the variable and the entry.
     */
    public static ReachableHosts from(Map<String, String> environment) {
        return new ReachableHosts(
                EgressCeiling.entries(environment, VARIABLE)
                        .map(ReachableHosts::privateHost)
                        .toList(),
                EgressCeiling.from(environment));
    }

    private static Entry privateHost(String text) {
        try {
            return Entry.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(VARIABLE + ": " + e.getMessage(), e);
        }
    }

    /**
     * The hosts for requests to what the operator has named: that host, also a private one, besides
     * those of the list, and public hosts above the ceiling of agents.
     */
    public ReachableHosts forOperator(HostAndPort named) {
        List<Entry> hosts = new ArrayList<>(privateHosts);
        hosts.add(new Entry(named.host(), OptionalInt.of(named.port())));
        return new ReachableHosts(hosts, EgressCeiling.NONE);
    }

    /**
     * The address to connect to for a target. The name is resolved once, here, because a second
     * lookup could give another address.
     */
    public InetSocketAddress resolve(HostAndPort target) throws IOException {
        return Arrays.stream(addresses(target))
                .filter(address -> mayReach(target, address))
                .findFirst()
                .map(address -> new InetSocketAddress(address, target.port()))
                .orElseThrow(() -> forbidden(target));
    }

    /** Throws a {@link ForbiddenTargetException} unless every address of the target is allowed. */
    public void check(HostAndPort target) throws IOException {
        for (InetAddress address : addresses(target)) {
            if (!mayReach(target, address)) {
                throw forbidden(target);
            }
        }
    }

    private static InetAddress[] addresses(HostAndPort target) throws ForbiddenTargetException {
        try {
            return InetAddress.getAllByName(target.host());
        } catch (UnknownHostException _) {
            throw new ForbiddenTargetException(target, "the name is unknown");
        }
    }

    /** Whether a connection to this address is allowed for a target that resolved to it. */
    boolean mayReach(HostAndPort target, InetAddress address) {
        return (PublicAddresses.isPublic(address) && ceiling.allows(target))
                || privateHosts.stream().anyMatch(entry -> entry.allows(target, address));
    }

    private ForbiddenTargetException forbidden(HostAndPort target) {
        return new ForbiddenTargetException(
                target,
                ceiling.allows(target)
                        ? "it leads to a private address"
                        : "it is above the ceiling of the operator");
    }
}
