package dev.satchel.runner.run;

import dev.satchel.protocol.WriteBackResponse;

/** What became of files that were handed in. */
sealed interface WriteBackOutcome {
    record Taken(WriteBackResponse files) implements WriteBackOutcome {}

    /** Satchel will not have them, now or later. */
    record Refused(int status, String reason) implements WriteBackOutcome {}

    /** It did not work, and might another time. */
    record Failed(String reason) implements WriteBackOutcome {}
}
