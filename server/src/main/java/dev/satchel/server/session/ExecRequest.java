package dev.satchel.server.session;

import dev.satchel.http.Fields;
import dev.satchel.protocol.RunConfig;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The body of {@code POST /api/sessions/{id}/exec}; the timeout is in milliseconds. */
record ExecRequest(String command, @Nullable JsonNode timeout) {
    private static final int MAX_LENGTH = 100_000;
    private static final long DEFAULT_MILLIS = 120_000;
    private static final long MAX_MILLIS = 600_000;

    ExecRequest {
        Fields.text("command", command, MAX_LENGTH);
        if (timeout != null && !timeout.isNull() && !isWithin(timeout)) {
            throw Fields.invalid("timeout", "must be 1 to " + MAX_MILLIS + " milliseconds");
        }
    }

    RunConfig.Command toRun() {
        long millis = timeout == null || timeout.isNull() ? DEFAULT_MILLIS : timeout.longValue();
        return new RunConfig.Command(command, millis);
    }

    /** A whole number, not one as text. */
    private static boolean isWithin(JsonNode timeout) {
        return timeout.isIntegralNumber()
                && timeout.canConvertToLong()
                && timeout.longValue() >= 1
                && timeout.longValue() <= MAX_MILLIS;
    }
}
