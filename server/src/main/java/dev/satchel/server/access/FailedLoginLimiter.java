package dev.satchel.server.access;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Counts wrong credentials per address. An address with too many of them is refused also with a
 * right one, so that guessing does not go on behind the refusals. What was accepted from the
 * address before stays valid there: a client behind the same proxy as an attacker goes on.
 */
public final class FailedLoginLimiter {
    private static final int LIMIT = 10;
    private static final Duration WINDOW = Duration.ofMinutes(5);
    private static final int MAX_ADDRESSES = 10_000;
    private static final int MAX_ACCEPTED = 10_000;

    private record Attempts(int count, Instant until) {}

    private record Accepted(String address, String hash) {}

    private final Clock clock;
    private final Map<String, Attempts> byAddress = new HashMap<>();
    private final Set<Accepted> accepted =
            Collections.newSetFromMap(
                    new LinkedHashMap<>(16, 0.75f, true) {
                        @Override
                        protected boolean removeEldestEntry(Map.Entry<Accepted, Boolean> eldest) {
                            return size() > MAX_ACCEPTED;
                        }
                    });

    public FailedLoginLimiter(Clock clock) {
        this.clock = clock;
    }

    /** Refuses an address with too many wrong credentials, unless it has used this one before. */
    synchronized void require(String address, String hash) {
        Instant now = clock.instant();
        Attempts before = byAddress.get(address);
        if (before != null
                && before.count() >= LIMIT
                && before.until().isAfter(now)
                && !accepted.contains(new Accepted(address, hash))) {
            throw tooMany(Duration.between(now, before.until()));
        }
    }

    /** Remembers a right credential of an address. */
    synchronized void accepted(String address, String hash) {
        accepted.add(new Accepted(address, hash));
    }

    /** The error for one more wrong credential from this address. */
    synchronized SatchelException count(String address, SatchelException refusal) {
        Instant now = clock.instant();
        Attempts before = byAddress.get(address);
        if (before == null || !before.until().isAfter(now)) {
            removeExpired(now);
            before = new Attempts(0, now.plus(WINDOW));
        }
        if (before.count() >= LIMIT) {
            return tooMany(Duration.between(now, before.until()));
        }
        byAddress.put(address, new Attempts(before.count() + 1, before.until()));
        return refusal;
    }

    /** Bounds the memory. A limit per address does not stop an attacker with so many addresses. */
    private void removeExpired(Instant now) {
        if (byAddress.size() < MAX_ADDRESSES) {
            return;
        }
        byAddress.values().removeIf(attempts -> !attempts.until().isAfter(now));
        if (byAddress.size() >= MAX_ADDRESSES) {
            byAddress.clear();
        }
    }

    private static SatchelException tooMany(Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new SatchelException(
                        ErrorCode.TOO_MANY_ATTEMPTS,
                        "too many wrong credentials, try again in " + seconds + " s")
                .withHeaders(Map.of("Retry-After", Long.toString(seconds)));
    }
}
