package dev.satchel.cli.chat;

import dev.satchel.cli.output.Terminals;
import java.io.IOException;
import java.util.Optional;

/** Reads messages from the terminal or from standard input. */
interface Prompt extends AutoCloseable {
    PromptInput read(String prompt) throws IOException;

    /** A line that was typed while no prompt was shown; does not wait. */
    Optional<String> poll() throws IOException;

    @Override
    void close() throws IOException;

    static Prompt open() throws IOException {
        return Terminals.isTerminal(Terminals.INPUT) ? new TerminalPrompt() : new PipedPrompt();
    }
}
