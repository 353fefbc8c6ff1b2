package dev.satchel.cli;

import java.io.IOException;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** A line to edit, with what was typed before at the arrow keys. */
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
    public Input read(String prompt) {
        try {
            return new Input.Line(reader.readLine(prompt));
        } catch (UserInterruptException e) {
            return new Input.Interrupted();
        } catch (EndOfFileException e) {
            return new Input.Ended();
        }
    }

    @Override
    public void close() throws IOException {
        terminal.close();
    }
}
