package dev.satchel.server.run;

import dev.satchel.server.conversation.RunId;

/** Another process has ended or taken over this run: nothing more may be written for it. */
public final class StaleRunException extends RuntimeException {
    public StaleRunException(RunId run) {
        super("run " + run.value() + " is no longer held by this server");
    }
}
