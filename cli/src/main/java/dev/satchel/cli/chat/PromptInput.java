package dev.satchel.cli.chat;

/** The result of reading one line at the prompt. */
sealed interface PromptInput {
    record Line(String text) implements PromptInput {}

    /** Ctrl-C. */
    record Interrupted() implements PromptInput {}

    /** Ctrl-D, or the end of standard input. */
    record Ended() implements PromptInput {}
}
