package dev.satchel.server.mcp;

import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

/** Limits the calls of each caller within one minute of the clock. */
final class CallRateLimiter {
    private static final long MINUTE = 60_000;

    private final Clock clock;
    private final int perMinute;
    private final Map<String, Integer> calls = new HashMap<>();
    private long minute;

    CallRateLimiter(Clock clock, int perMinute) {
        this.clock = clock;
        this.perMinute = perMinute;
    }

    synchronized boolean allows(String caller) {
        long now = clock.millis() / MINUTE;
        if (now != minute) {
            minute = now;
            calls.clear();
        }
        return calls.merge(caller, 1, Integer::sum) <= perMinute;
    }
}
