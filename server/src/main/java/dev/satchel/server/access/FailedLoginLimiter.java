package dev.satchel.server.access;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts wrong credentials per address. It is used only after a credential was found to be wrong,
 * so a valid one always works, also behind the same proxy as an attacker.
 */
final class FailedLoginLimiter {
    private static final int LIMIT = 10;
    private static final Duration WINDOW = Duration.ofMinutes(5);
    private static final int MAX_ADDRESSES = 10_000;

    private record Attempts(int count, Instant until) {}

    private final Clock clock;
    private final Map<String, Attempts> byAddress = new HashMap<>();

    FailedLoginLimiter(Clock clock) {
        this.clock = clock;
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
