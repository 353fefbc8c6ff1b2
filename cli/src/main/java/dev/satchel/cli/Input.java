package dev.satchel.cli;

/** What came from the keyboard. */
sealed interface Input {
    record Line(String text) implements Input {}

    /** Ctrl-C. */
    record Interrupted() implements Input {}

    /** Ctrl-D, or the end of what was piped in. */
    record Ended() implements Input {}
}
