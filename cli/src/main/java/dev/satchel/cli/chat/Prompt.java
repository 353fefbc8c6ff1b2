package dev.satchel.cli.chat;

import dev.satchel.cli.output.Terminals;
import java.io.IOException;

/** Reads messages from the terminal or from standard input. */
interface Prompt extends AutoCloseable {
    PromptInput read(String prompt) throws IOException;

    @Override
    void close() throws IOException;

    static Prompt open() throws IOException {
        return Terminals.isTerminal(Terminals.INPUT) ? new TerminalPrompt() : new PipedPrompt();
    }
}
