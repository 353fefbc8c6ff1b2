package dev.satchel.torture.harness;

import java.util.Map;
import java.util.TreeMap;

/** Counts events by name, for the summary at the end. */
public final class EventCounts {
    private final Map<String, Long> counts = new TreeMap<>();

    public synchronized void add(String what) {
        add(what, 1);
    }

    public synchronized void add(String what, long number) {
        counts.merge(what, number, Long::sum);
    }

    /** Keeps the largest number. */
    public synchronized void max(String what, long number) {
        counts.merge(what, number, Math::max);
    }

    public synchronized long of(String what) {
        return counts.getOrDefault(what, 0L);
    }

    @Override
    public synchronized String toString() {
        StringBuilder table = new StringBuilder();
        counts.forEach((what, number) -> table.append("%10d  %s%n".formatted(number, what)));
        return table.toString();
    }
}
