package dev.satchel.server.limit;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.CallerHandler;
import dev.satchel.server.access.TenantId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Refuses the requests of a tenant that sends more than its share: a bucket of tokens that fills at
 * the allowed rate up to the allowed burst. Each server counts what it receives itself.
 */
public final class RequestRateLimiter {
    private static final int MAX_BUCKETS = 10_000;

    /** A changed limit counts after this time. */
    private static final Duration VALIDITY = Duration.ofSeconds(5);

    private final LimitService limits;
    private final InstantSource clock;

    /** The buckets that were not used for longest are first. */
    private final Map<TenantId, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

    /** The clock measures durations; nothing sets it back. */
    public RequestRateLimiter(LimitService limits, InstantSource clock) {
        this.limits = limits;
        this.clock = clock;
    }

    /** The same handler, for callers who have not sent too much. */
    public CallerHandler limit(CallerHandler handler) {
        return (exchange, caller) -> {
            require(caller.tenant());
            handler.handle(exchange, caller);
        };
    }

    private void require(TenantId tenant) {
        Bucket bucket = bucket(tenant);
        long now = clock.millis();
        if (bucket.isOutdated(now)) {
            Map<LimitName, Long> ofTenant = limits.of(tenant);
            bucket.set(
                    ofTenant.getOrDefault(LimitName.REQUESTS_PER_SECOND, 0L),
                    ofTenant.getOrDefault(LimitName.REQUEST_BURST, 0L),
                    now);
        }
        long wait = bucket.take(now);
        if (wait > 0) {
            long seconds = Math.max(1, (wait + 999) / 1000);
            throw new SatchelException(
                            ErrorCode.TOO_MANY_REQUESTS,
                            "this workspace may send "
                                    + bucket.perSecond()
                                    + " requests a second, try again in "
                                    + seconds
                                    + " s")
                    .withHeaders(Map.of("Retry-After", Long.toString(seconds)));
        }
    }

    private Bucket bucket(TenantId tenant) {
        synchronized (buckets) {
            Bucket bucket = buckets.computeIfAbsent(tenant, _ -> new Bucket());
            if (buckets.size() > MAX_BUCKETS) {
                buckets.remove(buckets.keySet().iterator().next());
            }
            return bucket;
        }
    }

    /** The tokens of one tenant. */
    private static final class Bucket {
        private long perSecond; // guarded by this, like all below
        private long burst;
        private double tokens;
        private long filledAt;
        private long readAt = Long.MIN_VALUE;

        synchronized boolean isOutdated(long now) {
            return readAt == Long.MIN_VALUE || now - readAt > VALIDITY.toMillis();
        }

        synchronized void set(long rate, long most, long now) {
            if (readAt == Long.MIN_VALUE) {
                tokens = (double) Math.max(1, most);
                filledAt = now;
            }
            perSecond = rate;
            burst = Math.max(1, most);
            readAt = now;
        }

        synchronized long perSecond() {
            return perSecond;
        }

        /** Takes a token; returns how many milliseconds to wait if there is none, else 0. */
        synchronized long take(long now) {
            if (perSecond == 0) {
                return 0;
            }
            tokens =
                    Math.min(
                            (double) burst,
                            tokens + (double) ((now - filledAt) * perSecond) / 1000);
            filledAt = now;
            if (tokens >= 1) {
                tokens--;
                return 0;
            }
            return (long) Math.ceil((1 - tokens) * 1000 / (double) perSecond);
        }
    }
}
