package dev.satchel.runner.sandbox.egress;

import dev.satchel.runner.net.ForbiddenTargetException;
import dev.satchel.runner.net.HostAndPort;
import dev.satchel.runner.net.PrivateHosts;
import dev.satchel.runner.net.PublicAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * The hosts an agent may reach: {@code name}, {@code *.suffix} or an address, each with an optional
 * port, else 80 and 443.
 */
public record AllowedHosts(List<Entry> entries, PrivateHosts privateHosts) implements EgressPolicy {
    private static final List<Integer> DEFAULT_PORTS = List.of(80, 443);
    private static final String WILDCARD = "*.";

    public AllowedHosts {
        entries = List.copyOf(entries);
    }

    /** One entry; the host begins with {@code *.} when every name below it is meant. */
    public record Entry(String host, OptionalInt port) {
        static Entry parse(String text) {
            boolean wildcard = text.startsWith(WILDCARD);
            String plain = wildcard ? text.substring(WILDCARD.length()) : text;
            HostAndPort target = HostAndPort.parse(plain.toLowerCase(Locale.ROOT), DEFAULT_PORTS.getFirst());
            boolean named = plain.matches(".*[^:]:[0-9]+");
            return new Entry(
                    wildcard ? WILDCARD + target.host() : target.host(),
                    named ? OptionalInt.of(target.port()) : OptionalInt.empty());
        }

        boolean allows(HostAndPort target) {
            boolean portFits =
                    port.isPresent()
                            ? port.getAsInt() == target.port()
                            : DEFAULT_PORTS.contains(target.port());
            boolean hostFits =
                    host.startsWith(WILDCARD)
                            ? target.host().endsWith(host.substring(1))
                                    && !PublicAddresses.isLiteral(target.host())
                            : target.host().equals(host);
            return portFits && hostFits;
        }
    }

    /** An entry that is no host is refused with an IllegalArgumentException naming it. */
    public static AllowedHosts parse(List<String> texts, PrivateHosts privateHosts) {
        return new AllowedHosts(texts.stream().map(Entry::parse).toList(), privateHosts);
    }

    /**
     * The address to connect to. A name is looked up here, once. It must lead to the public
     * network, and so must an address; beyond that only the operator's list opens a way.
     */
    @Override
    public InetSocketAddress resolve(HostAndPort target) throws IOException {
        if (entries.stream().noneMatch(entry -> entry.allows(target))) {
            throw new ForbiddenTargetException(
                    target.host() + ":" + target.port() + " is not among the allowed hosts");
        }
        return privateHosts.resolve(target);
    }
}
