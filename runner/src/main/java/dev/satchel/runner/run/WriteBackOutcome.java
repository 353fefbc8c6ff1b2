package dev.satchel.runner.run;

import dev.satchel.protocol.WriteBackResponse;

/** The outcome of a write-back. */
sealed interface WriteBackOutcome {
    record Accepted(WriteBackResponse files) implements WriteBackOutcome {}

    /** The server refuses the files; a second attempt is useless. */
    record Refused(int status, String reason) implements WriteBackOutcome {}

    /** The upload failed; a second attempt may succeed. */
    record Failed(String reason) implements WriteBackOutcome {}
}
