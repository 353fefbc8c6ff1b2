package dev.satchel.server.run;

import dev.satchel.server.conversation.RunId;

/** Somebody else has ended or taken over this run: what we still have to say does not count. */
public final class StaleRunException extends RuntimeException {
    public StaleRunException(RunId run) {
        super("run " + run.value() + " is no longer held by this server");
    }
}
