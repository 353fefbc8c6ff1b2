package dev.satchel.cli.credential;

import dev.satchel.cli.common.CliException;
import dev.satchel.cli.common.ExitCode;
import dev.satchel.cli.output.Terminals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Reads a secret: from a terminal without showing it, or all of the standard input. */
final class SecretReader {
    private static final char HIDDEN = '\0';

    private SecretReader() {}

    static String read(String prompt) throws IOException {
        String value =
                Terminals.isTerminal(Terminals.INPUT)
                        ? ask(prompt)
                        : new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        if (value.isBlank()) {
            throw new CliException(ExitCode.WRONG_USE, "the value is empty");
        }
        return value.strip();
    }

    private static String ask(String prompt) throws IOException {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            LineReader reader =
                    LineReaderBuilder.builder()
                            .terminal(terminal)
                            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                            .variable(LineReader.DISABLE_HISTORY, true)
                            .build();
            return reader.readLine(prompt, HIDDEN);
        } catch (UserInterruptException | EndOfFileException e) {
            throw new CliException(ExitCode.CANCELLED, "nothing was stored");
        }
    }
}
