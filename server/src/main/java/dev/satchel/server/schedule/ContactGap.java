package dev.satchel.server.schedule;

import java.time.Duration;
import java.time.InstantSource;

/**
 * The time at which this server judges whether heartbeats and locks of others have expired. They
 * also expire while no server reaches the database. So after a gap the time stands still for one
 * renewal, in which the others can renew what they have. May be shared between threads.
 */
public final class ContactGap {
    private final Duration renewal;
    private final InstantSource steady;
    private boolean hasContact; // guarded by this, like all below
    private long lastContact;
    private long lastNow;
    private long nowBeforeGap = Long.MAX_VALUE;
    private long standsStillUntil = Long.MIN_VALUE;

    /** The clock measures durations; nothing sets it back. */
    public ContactGap(Duration renewal, InstantSource steady) {
        this.renewal = renewal;
        this.steady = steady;
    }

    /** To be called when the database has answered, with the time of all servers. */
    public synchronized long judge(long now) {
        long contact = steady.millis();
        if (hasContact && contact - lastContact > renewal.toMillis()) {
            nowBeforeGap = lastNow;
            standsStillUntil = contact + renewal.toMillis();
        }
        hasContact = true;
        lastContact = contact;
        lastNow = now;
        return contact < standsStillUntil ? Math.min(now, nowBeforeGap) : now;
    }
}
