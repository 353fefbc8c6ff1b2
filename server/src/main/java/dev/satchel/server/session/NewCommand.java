package dev.satchel.server.session;

import dev.satchel.http.Fields;
import dev.satchel.protocol.RunConfig;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/sessions/{id}/exec}; the timeout is in milliseconds. */
record NewCommand(String command, @Nullable Long timeout) {
    private static final int MAX_LENGTH = 100_000;
    private static final long USUAL_MILLIS = 120_000;
    private static final long MAX_MILLIS = 600_000;

    NewCommand {
        Fields.text("command", command, MAX_LENGTH);
        if (timeout != null && (timeout < 1 || timeout > MAX_MILLIS)) {
            throw Fields.invalid("timeout", "must be 1 to " + MAX_MILLIS + " milliseconds");
        }
    }

    RunConfig.Command toRun() {
        return new RunConfig.Command(command, timeout == null ? USUAL_MILLIS : timeout);
    }
}
