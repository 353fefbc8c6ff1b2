package dev.satchel.http.connection;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The proxies that are believed about the address of a client. Everybody can send {@code
 * X-Forwarded-For}, so it is read from its end, where the proxies have added to it, up to the first
 * address that is not of a proxy.
 */
public final class TrustedProxies {
    public static final TrustedProxies NONE = new TrustedProxies(List.of());

    private final List<Network> networks;

    private TrustedProxies(List<Network> networks) {
        this.networks = List.copyOf(networks);
    }

    /** The addresses that begin with the bits of another one. */
    private record Network(InetAddress address, int bits) {
        static Network parse(String text) {
            int slash = text.indexOf('/');
            InetAddress address =
                    InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash));
            int longest = address.getAddress().length * Byte.SIZE;
            int bits = slash < 0 ? longest : Integer.parseInt(text, slash + 1, text.length(), 10);
            if (bits < 0 || bits > longest) {
                throw new IllegalArgumentException("not a network: " + text);
            }
            return new Network(address, bits);
        }

        boolean contains(InetAddress other) {
            byte[] mine = address.getAddress();
            byte[] others = other.getAddress();
            if (mine.length != others.length) {
                return false;
            }
            int whole = bits / Byte.SIZE;
            int rest = bits % Byte.SIZE;
            int shift = Byte.SIZE - rest;
            return Arrays.equals(mine, 0, whole, others, 0, whole)
                    && (rest == 0
                            || (mine[whole] & 0xff) >> shift == (others[whole] & 0xff) >> shift);
        }
    }

    /**
     * Reads addresses and networks such as {@code 10.0.0.0/8}.
     *
     * @throws IllegalArgumentException if one of them is neither
     */
    public static TrustedProxies of(List<String> given) {
        return new TrustedProxies(given.stream().map(Network::parse).toList());
    }

    /**
     * The address of the client.
     *
     * @param peer that of the connection
     * @param forwarded the values of all headers X-Forwarded-For, in their order
     */
    public String client(String peer, List<String> forwarded) {
        String client = peer;
        List<String> hops =
                forwarded.stream()
                        .flatMap(value -> Arrays.stream(value.split(",", -1)))
                        .toList()
                        .reversed();
        for (String hop : hops) {
            Optional<InetAddress> before = literal(hop.strip());
            if (!isTrusted(client) || before.isEmpty()) {
                return client;
            }
            client = before.get().getHostAddress();
        }
        return client;
    }

    private boolean isTrusted(String address) {
        return literal(address)
                .filter(it -> networks.stream().anyMatch(network -> network.contains(it)))
                .isPresent();
    }

    /** Some proxies add the port. */
    private static Optional<InetAddress> literal(String text) {
        String address = text;
        if (text.startsWith("[") && text.contains("]")) {
            address = text.substring(1, text.indexOf(']'));
        } else if (text.indexOf(':') == text.lastIndexOf(':') && text.contains(":")) {
            address = text.substring(0, text.indexOf(':'));
        }
        try {
            return Optional.of(InetAddress.ofLiteral(address));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
