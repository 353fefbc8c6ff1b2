package dev.satchel.http.outbound;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The private hosts that the operator allows agents to reach. Requests of an agent come from a
 * tenant, so no other request may reach this machine or its network.
 */
public record PrivateHosts(List<Entry> entries) {
    public static final String VARIABLE = "SATCHEL_PRIVATE_HOSTS";
    public static final PrivateHosts NONE = new PrivateHosts(List.of());

    private static final int ANY_PORT = 1; // for parsing an entry without a port

    public PrivateHosts {
        entries = List.copyOf(entries);
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
     * Reads the list of the operator, separated by commas. An invalid entry is an
     * IllegalArgumentException with the entry in its message.
     */
    public static PrivateHosts from(Map<String, String> environment) {
        return new PrivateHosts(
                Arrays.stream(environment.getOrDefault(VARIABLE, "").split(",", -1))
                        .map(String::strip)
                        .filter(text -> !text.isEmpty())
                        .map(Entry::parse)
                        .toList());
    }

    /**
     * The address to connect to for a target. The name is resolved once, here, because a second
     * lookup could give another address.
     */
    public InetSocketAddress resolve(HostAndPort target) throws IOException {
        return Arrays.stream(InetAddress.getAllByName(target.host()))
                .filter(address -> mayReach(target, address))
                .findFirst()
                .map(address -> new InetSocketAddress(address, target.port()))
                .orElseThrow(
                        () ->
                                new ForbiddenTargetException(
                                        target.host()
                                                + " leads to a private address, which only the"
                                                + " operator can allow"));
    }

    /** Whether a connection to this address is allowed for a target that resolved to it. */
    public boolean mayReach(HostAndPort target, InetAddress address) {
        return PublicAddresses.isPublic(address)
                || entries.stream().anyMatch(entry -> entry.allows(target, address));
    }
}
