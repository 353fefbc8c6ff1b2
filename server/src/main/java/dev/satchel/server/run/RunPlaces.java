package dev.satchel.server.run;

import dev.satchel.server.conversation.RunId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The places for runs on this server. A place is reserved in the transaction that stores a run and
 * occupied when the run starts. The reservation of a transaction that was undone expires.
 */
public final class RunPlaces {
    /** Longer than a transaction may take. */
    private static final Duration RESERVATION = Duration.ofSeconds(15);

    private final int max;
    private final InstantSource clock;
    private final Map<RunId, Long> reserved = new HashMap<>(); // guarded by this, like the other
    private final Set<RunId> occupied = new HashSet<>();

    public RunPlaces(int max, InstantSource clock) {
        this.max = max;
        this.clock = clock;
    }

    /** False when there is no free place. */
    public synchronized boolean reserve(RunId run) {
        long now = clock.millis();
        reserved.values().removeIf(since -> now - since > RESERVATION.toMillis());
        if (reserved.containsKey(run) || occupied.size() + reserved.size() < max) {
            reserved.put(run, now);
            return true;
        }
        return false;
    }

    /** The run has no place, or it has ended. */
    public synchronized void release(RunId run) {
        reserved.remove(run);
        occupied.remove(run);
    }

    /** A run that starts, even if all places are taken meanwhile. */
    public synchronized void occupy(RunId run) {
        reserved.remove(run);
        occupied.add(run);
    }
}
