package dev.satchel.runner.run;

import dev.satchel.protocol.WriteBack;

/** What became of files that were handed in. */
sealed interface HandedIn {
    record Taken(WriteBack files) implements HandedIn {}

    /** Satchel will not have them, now or later. */
    record Refused(int status, String reason) implements HandedIn {}

    /** It did not work, and might another time. */
    record Failed(String reason) implements HandedIn {}
}
