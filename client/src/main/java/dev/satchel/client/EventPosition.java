package dev.satchel.client;

import java.util.Optional;

/** Where a reader of a run stopped; keep it to continue in another process. */
public record EventPosition(String runId, long seq) {
    public static final String SEPARATOR = ":";

    /** From an event's id; empty when it is none of ours. */
    static Optional<EventPosition> parse(String id) {
        int colon = id.lastIndexOf(SEPARATOR);
        if (colon < 1 || !id.substring(colon + 1).matches("\\d{1,18}")) {
            return Optional.empty();
        }
        return Optional.of(
                new EventPosition(id.substring(0, colon), Long.parseLong(id.substring(colon + 1))));
    }

    @Override
    public String toString() {
        return runId + SEPARATOR + seq;
    }
}
