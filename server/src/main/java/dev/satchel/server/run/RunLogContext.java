package dev.satchel.server.run;

import org.slf4j.MDC;

/** Puts the ids of a run and of its chat into every line that a thread writes to the log. */
public final class RunLogContext {
    private RunLogContext() {}

    /** For a thread that does nothing else. */
    public static void set(Run run) {
        MDC.put("runId", run.id().value());
        MDC.put("chatId", run.conversation().value());
    }
}
