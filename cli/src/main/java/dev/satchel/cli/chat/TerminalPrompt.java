package dev.satchel.cli.chat;

import java.io.IOException;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Reads messages from the terminal, with line editing and history. */
final class TerminalPrompt implements Prompt {
    private final Terminal terminal;
    private final LineReader reader;

    TerminalPrompt() throws IOException {
        this.terminal = TerminalBuilder.builder().system(true).build();
        this.reader =
                LineReaderBuilder.builder()
                        .terminal(terminal)
                        .completer(new ChatCompleter())
                        .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                        .build();
    }

    @Override
    public PromptInput read(String prompt) {
        try {
            return new PromptInput.Line(reader.readLine(prompt));
        } catch (UserInterruptException e) {
            return new PromptInput.Interrupted();
        } catch (EndOfFileException e) {
            return new PromptInput.Ended();
        }
    }

    @Override
    public void close() throws IOException {
        terminal.close();
    }
}
