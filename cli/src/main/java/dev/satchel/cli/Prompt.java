package dev.satchel.cli;

import java.io.IOException;

/** Where messages are typed, or piped in. */
interface Prompt extends AutoCloseable {
    Input read(String prompt) throws IOException;

    @Override
    void close() throws IOException;

    static Prompt open() throws IOException {
        return Terminals.isTerminal(Terminals.INPUT) ? new TerminalPrompt() : new PipedPrompt();
    }
}
