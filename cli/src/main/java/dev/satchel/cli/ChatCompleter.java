package dev.satchel.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/** The tab key in a chat: our commands, and files after {@code /attach}. */
final class ChatCompleter implements Completer {
    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        if (line.wordIndex() == 0) {
            for (LocalCommand.Kind kind : LocalCommand.Kind.values()) {
                candidates.add(new Candidate(kind.word()));
            }
        } else if (line.words().getFirst().equals(LocalCommand.Kind.ATTACH.word())) {
            files(line.word().substring(0, line.wordCursor()), candidates);
        }
    }

    private static void files(String begun, List<Candidate> candidates) {
        String folder = begun.substring(0, begun.lastIndexOf('/') + 1);
        try (Stream<Path> entries = Files.list(Path.of(folder.isEmpty() ? "." : folder))) {
            entries.forEach(entry -> candidates.add(candidate(folder, entry)));
        } catch (IOException e) {
            // nothing to offer there
        }
    }

    /** A folder is not the end of a word. */
    private static Candidate candidate(String folder, Path entry) {
        boolean isFolder = Files.isDirectory(entry);
        String value = folder + entry.getFileName() + (isFolder ? "/" : "");
        return new Candidate(value, value, null, null, null, null, !isFolder);
    }
}
