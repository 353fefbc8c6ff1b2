package dev.satchel.server.access;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.http.connection.TrustedProxies;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Counts wrong credentials of addresses and accounts. An address with too many of them is refused
 * also with a right one, so that guessing does not go on behind the refusals. What was accepted
 * from the address before stays valid there: a client behind the same proxy as an attacker goes on.
 *
 * <p>An account is only slowed down, since everybody can name it: with too many wrong passwords it
 * has one attempt every few seconds, and as many as before from an address that has signed in to
 * it.
 */
public final class FailedLoginLimiter {
    private static final int LIMIT = 10;
    private static final Duration WINDOW = Duration.ofMinutes(5);
    private static final Duration ACCOUNT_PAUSE = Duration.ofSeconds(15);
    private static final int MAX_COUNTED = 10_000;

    /** How much of an IPv6 address a customer of a provider does not choose. */
    private static final int IPV6_NETWORK_BYTES = 8;

    /**
     * Wrong credentials since the beginning of a window.
     *
     * @param next when an account may be tried again
     */
    private record Attempts(int count, Instant until, Instant next) {
        boolean isFree(Instant now) {
            return count < LIMIT || !until.isAfter(now);
        }
    }

    private record Accepted(String address, String hash) {}

    private final Clock clock;
    private final TrustedProxies proxies;
    private final Map<String, Attempts> addresses = bounded();
    private final Map<String, Attempts> accounts = bounded();
    private final Set<Accepted> accepted =
            Collections.newSetFromMap(
                    new LinkedHashMap<>(16, 0.75f, true) {
                        @Override
                        protected boolean removeEldestEntry(Map.Entry<Accepted, Boolean> eldest) {
                            return size() > MAX_COUNTED;
                        }
                    });

    public FailedLoginLimiter(Clock clock, TrustedProxies proxies) {
        this.clock = clock;
        this.proxies = proxies;
    }

    /** Whose wrong credentials are counted together: an address, or a network of IPv6. */
    String address(Exchange exchange) {
        return network(
                proxies.client(exchange.remoteAddress(), exchange.headers("X-Forwarded-For")));
    }

    static String network(String address) {
        try {
            return InetAddress.ofLiteral(address) instanceof Inet6Address ipv6
                    ? HexFormat.of().formatHex(Arrays.copyOf(ipv6.getAddress(), IPV6_NETWORK_BYTES))
                    : address;
        } catch (IllegalArgumentException e) {
            return address; // of a socket in the file system
        }
    }

    /** Refuses an address with too many wrong credentials, unless it has used this one before. */
    synchronized void require(String address, String hash) {
        Instant now = clock.instant();
        Attempts before = addresses.get(address);
        if (before != null
                && !before.isFree(now)
                && !accepted.contains(new Accepted(address, hash))) {
            throw tooMany(Duration.between(now, before.until()));
        }
    }

    /** Lets only some attempts through once an account has too many wrong passwords. */
    synchronized void requireAccount(String account, String address) {
        Instant now = clock.instant();
        Attempts before = accounts.get(account);
        if (before == null
                || before.isFree(now)
                || accepted.contains(new Accepted(address, account))) {
            return;
        }
        if (before.next().isAfter(now)) {
            throw tooMany(Duration.between(now, before.next()));
        }
        accounts.put(
                account, new Attempts(before.count(), before.until(), now.plus(ACCOUNT_PAUSE)));
    }

    /** Remembers a right credential, or an account, of an address. */
    synchronized void accepted(String address, String hash) {
        accepted.add(new Accepted(address, hash));
    }

    /** The error for one more wrong credential from this address. */
    synchronized SatchelException count(String address, SatchelException refusal) {
        Instant now = clock.instant();
        Attempts before = addresses.get(address);
        if (before != null && !before.isFree(now)) {
            return tooMany(Duration.between(now, before.until()));
        }
        add(addresses, address, now);
        return refusal;
    }

    /** Counts a wrong password of an account. */
    synchronized void countAccount(String account) {
        add(accounts, account, clock.instant());
    }

    private static void add(Map<String, Attempts> counted, String key, Instant now) {
        Attempts before = counted.get(key);
        if (before == null || !before.until().isAfter(now)) {
            counted.remove(key); // the youngest of all again
            before = new Attempts(0, now.plus(WINDOW), now);
        }
        counted.put(key, new Attempts(before.count() + 1, before.until(), now.plus(ACCOUNT_PAUSE)));
    }

    /** Without the oldest when there are very many: their windows end first. */
    private static Map<String, Attempts> bounded() {
        return new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Attempts> eldest) {
                return size() > MAX_COUNTED;
            }
        };
    }

    private static SatchelException tooMany(Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new SatchelException(
                        ErrorCode.TOO_MANY_ATTEMPTS,
                        "too many wrong credentials, try again in " + seconds + " s")
                .withHeaders(Map.of("Retry-After", Long.toString(seconds)));
    }
}
