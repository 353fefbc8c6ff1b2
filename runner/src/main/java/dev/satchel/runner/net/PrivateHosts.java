package dev.satchel.runner.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The hosts outside the public network that the operator lets agents reach. What an agent asks for
 * comes from a tenant, so nothing else may lead to this machine or its neighbours.
 */
public record PrivateHosts(List<Entry> entries) {
    public static final String VARIABLE = "SATCHEL_PRIVATE_HOSTS";
    public static final PrivateHosts NONE = new PrivateHosts(List.of());

    private static final int ANY_PORT = 1; // only to read an entry that names none

    public PrivateHosts {
        entries = List.copyOf(entries);
    }

    /** A name or an address; without a port all its ports are meant. */
    public record Entry(String host, OptionalInt port) {
        public Entry {
            if (PublicAddresses.isLiteral(host)) {
                InetAddress _ = address(host); // refuses what only looks like one
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
     * Reads the operator's list, separated by commas; an entry that is no host is refused with an
     * IllegalArgumentException naming it.
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
     * The address to connect to for an agent that asked for the target. A name is looked up here,
     * once: whoever would look it up again might find another.
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

    /** Whether a connection to this address may be made for an agent that asked for the target. */
    public boolean mayReach(HostAndPort target, InetAddress address) {
        return PublicAddresses.isPublic(address)
                || entries.stream().anyMatch(entry -> entry.allows(target, address));
    }
}
