package dev.satchel.server.schedule;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Decides whether this server may judge that leases, heartbeats and locks of others have expired.
 * They also expire while no server reaches the database. So after a gap it waits for one renewal,
 * in which the others can renew what they have. May be shared between threads.
 */
public final class ContactGap {
    private final Duration renewal;
    private final InstantSource steady;
    private boolean hasContact; // guarded by this, like all below
    private long lastContact;
    private long certainNow = Long.MAX_VALUE;
    private long uncertainUntil = Long.MIN_VALUE;

    /** The clock measures durations; nothing sets it back. */
    public ContactGap(Duration renewal, InstantSource steady) {
        this.renewal = renewal;
        this.steady = steady;
    }

    /** As after a gap, also before the first contact: the time before the start is not known. */
    public static ContactGap sinceStart(Duration renewal, InstantSource steady) {
        ContactGap gap = new ContactGap(renewal, steady);
        gap.hasContact = true;
        gap.lastContact = Long.MIN_VALUE / 2;
        return gap;
    }

    /** To be called when the database has answered; false after a gap. */
    public synchronized boolean isCertain() {
        long contact = steady.millis();
        if (hasContact && contact - lastContact > renewal.toMillis()) {
            uncertainUntil = contact + renewal.toMillis();
        }
        hasContact = true;
        lastContact = contact;
        return contact >= uncertainUntil;
    }

    /**
     * The time by which expiry is judged; after a gap it stands still. To be called when the
     * database has answered, with the time of all servers.
     */
    public synchronized long judge(long now) {
        if (isCertain()) {
            certainNow = now;
            return now;
        }
        return Math.min(now, certainNow);
    }
}
