package dev.satchel.http.outbound;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * The hosts an agent may reach: {@code name}, {@code *.suffix} or an address, each with an optional
 * port, else 80 and 443.
 */
public record AllowedHosts(List<Entry> entries, ReachableHosts reachableHosts)
        implements EgressPolicy {
    private static final List<Integer> DEFAULT_PORTS = List.of(80, 443);
    private static final String WILDCARD = "*.";

    public AllowedHosts {
        entries = List.copyOf(entries);
    }

    /** One entry; a host that begins with {@code *.} allows every name below it. */
    public record Entry(String host, OptionalInt port) {
        static Entry parse(String text) {
            boolean wildcard = text.startsWith(WILDCARD);
            String plain = wildcard ? text.substring(WILDCARD.length()) : text;
            HostAndPort target =
                    HostAndPort.parse(plain.toLowerCase(Locale.ROOT), DEFAULT_PORTS.getFirst());
            boolean named = plain.matches(".*[^:]:[0-9]+");
            return new Entry(
                    wildcard ? WILDCARD + target.host() : target.host(),
                    named ? OptionalInt.of(target.port()) : OptionalInt.empty());
        }

        boolean allows(HostAndPort target) {
            return covers(target) && (port.isPresent() || DEFAULT_PORTS.contains(target.port()));
        }

        /** As {@link #allows}, but an entry without a port stands for every port. */
        boolean covers(HostAndPort target) {
            boolean hostMatches =
                    host.startsWith(WILDCARD)
                            ? target.host().endsWith(host.substring(1))
                                    && !PublicAddresses.isLiteral(target.host())
                            : target.host().equals(host);
            return hostMatches && (port.isEmpty() || port.getAsInt() == target.port());
        }
    }

    /** Throws an IllegalArgumentException that names the entry when one is not a host. */
    public static AllowedHosts parse(List<String> texts, ReachableHosts reachableHosts) {
        return new AllowedHosts(texts.stream().map(Entry::parse).toList(), reachableHosts);
    }

    /**
     * Returns the address to connect to. A name is resolved once, here. The address must be public
     * or in the operator's list of private hosts, and not above the operator's ceiling.
     */
    @Override
    public InetSocketAddress resolve(HostAndPort target) throws IOException {
        if (entries.stream().noneMatch(entry -> entry.allows(target))) {
            throw new ForbiddenTargetException(target, "the agent does not name it");
        }
        return reachableHosts.resolve(target);
    }
}
