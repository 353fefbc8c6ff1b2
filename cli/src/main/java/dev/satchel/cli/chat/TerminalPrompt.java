package dev.satchel.cli.chat;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Reads messages from the terminal, with line editing and history. */
final class TerminalPrompt implements Prompt {
    private final Terminal terminal;
    private final LineReader reader;
    private final FileInputStream typed = new FileInputStream(FileDescriptor.in);
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

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

    /** Outside of {@link #read} the terminal edits a line itself and hands it over as a whole. */
    @Override
    public Optional<String> poll() throws IOException {
        while (typed.available() > 0) {
            int next = typed.read();
            if (next == '\n') {
                String text = line.toString(StandardCharsets.UTF_8);
                line.reset();
                return Optional.of(text);
            }
            line.write(next);
        }
        return Optional.empty();
    }

    @Override
    public void close() throws IOException {
        terminal.close();
    }

    /** Completes commands in a chat, and file names after {@code /attach}. */
    static final class ChatCompleter implements Completer {
        @Override
        public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
            if (line.wordIndex() == 0) {
                for (SlashCommand.Kind kind : SlashCommand.Kind.values()) {
                    candidates.add(new Candidate(kind.word()));
                }
            } else if (line.words().getFirst().equals(SlashCommand.Kind.ATTACH.word())) {
                files(line.word().substring(0, line.wordCursor()), candidates);
            }
        }

        private static void files(String begun, List<Candidate> candidates) {
            String folder = begun.substring(0, begun.lastIndexOf('/') + 1);
            try (Stream<Path> entries = Files.list(Path.of(folder.isEmpty() ? "." : folder))) {
                entries.forEach(entry -> candidates.add(candidate(folder, entry)));
            } catch (IOException e) {
                // no candidates
            }
        }

        /** No space follows a folder, so that its content can be completed next. */
        private static Candidate candidate(String folder, Path entry) {
            boolean isFolder = Files.isDirectory(entry);
            String value = folder + entry.getFileName() + (isFolder ? "/" : "");
            return new Candidate(value, value, null, null, null, null, !isFolder);
        }
    }
}
