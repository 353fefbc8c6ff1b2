package dev.satchel.tools.grep;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.documents.DocumentPart;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.TextFile;
import dev.satchel.tools.document.DocumentSelection;
import dev.satchel.tools.document.DocumentTextReader;
import dev.satchel.tools.document.DocumentTitle;
import dev.satchel.tools.document.SearchedDocuments;
import dev.satchel.tools.grep.GrepRequest.Mode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Searches the text of documents part by part, so that a result names its page, sheet or slide.
 * Only some documents are read that were not read before; the report names those that are left.
 */
final class DocumentSearch {
    private static final int MAX_NAMES = 5;

    private final Mode mode;
    private final GrepReport report;
    private final ReadableDirectory files;
    private final Map<String, Found> found = new LinkedHashMap<>(); // by the path that is shown
    private final DocumentTextReader documents;
    private final List<String> extensions;
    private final FileSearch search;
    private final List<String> left = new ArrayList<>();
    private final List<String> unreadable = new ArrayList<>();
    private final long end;
    private int unread;

    private record Found(ReadableDirectory directory, WorkspacePath path) {}

    /** {@code maxTime} is that of the search beside the reading of documents. */
    DocumentSearch(
            GrepRequest request,
            Mode mode,
            GrepReport report,
            GrepTool.Context context,
            Duration maxTime) {
        this.mode = mode;
        this.report = report;
        this.files = context.files();
        this.documents = context.documents();
        this.extensions = SearchedDocuments.extensions(documents);
        Duration reading = documents.searchLimits().time();
        this.search = new FileSearch(request, mode, report, new Deadline(reading.plus(maxTime)));
        end = System.nanoTime() + reading.toNanos();
    }

    /** Whether a file of a directory is searched as a document. */
    boolean takes(WorkspacePath path) {
        return extensions.contains(SearchedDocuments.extension(path.name()));
    }

    /** Adds a file that may be a document; it is searched later. */
    void add(GrepTarget target, WorkspacePath path) throws InvalidArgumentException {
        found.putIfAbsent(target.path().show(path), new Found(target.path().in(files), path));
    }

    /** Searches what was added. */
    void run() throws IOException, InterruptedException {
        try {
            for (Map.Entry<String, Found> document : found.entrySet()) {
                if (report.complete()) {
                    break;
                }
                search(document.getKey(), document.getValue());
            }
        } catch (Deadline.ExceededException _) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            report.stopped(GrepReport.TOO_LONG);
        }
        tellWhatIsLeft();
    }

    /** Searches a file that may be a document; a text file is searched as that. */
    private void search(String shown, Found found) throws IOException, InterruptedException {
        WorkspacePath path = found.path();
        try (OpenFile file = found.directory().open(path)) {
            Optional<DocumentFormat> format = SearchedDocuments.find(path.name(), file, documents);
            TextFile text = TextFile.of(file);
            if (format.isPresent()) {
                searchDocument(shown, path.name(), file);
            } else if (text.isText()) {
                search.search(shown, text);
            }
        } catch (InvalidArgumentException e) {
            unreadable.add(String.valueOf(e.getMessage()));
        } catch (FileSystemException _) {
            // removed or made unreadable after it was listed
        }
    }

    private void tellWhatIsLeft() {
        if (!left.isEmpty()) {
            report.note(
                    "%d documents were not read yet: %s. Search again to read more of them, or name one."
                            .formatted(left.size(), names(left)));
        }
        unreadable.stream().limit(MAX_NAMES).forEach(report::note);
        if (unreadable.size() > MAX_NAMES) {
            report.note(unreadable.size() - MAX_NAMES + " more documents cannot be read.");
        }
    }

    private static String names(List<String> all) {
        String names = String.join(", ", all.subList(0, Math.min(MAX_NAMES, all.size())));
        return all.size() > MAX_NAMES ? names + ", …" : names;
    }

    private void searchDocument(String shown, String name, OpenFile file)
            throws IOException, InterruptedException, InvalidArgumentException {
        if (!documents.isKnown(name, file)) {
            boolean isTooMuch =
                    unread >= documents.searchLimits().documents() || System.nanoTime() - end > 0;
            if (isTooMuch) {
                left.add(shown);
                return;
            }
            unread++;
        }
        try (DocumentLines lines = documents.read(name, file, DocumentSelection.ALL)) {
            searchParts(shown, name, lines);
        }
    }

    private void searchParts(String shown, String name, DocumentLines lines)
            throws IOException, InvalidArgumentException {
        DocumentPart part = null;
        StringBuilder text = new StringBuilder();
        int count = 0;
        boolean isDone = false;
        for (Optional<DocumentLine> line = lines.next();
                line.isPresent() && !isDone && !report.complete();
                line = lines.next()) {
            switch (line.get()) {
                case DocumentLine.Part(DocumentPart piece) -> {
                    if (isSame(part, piece)) {
                        text.append('\n').append(piece.text());
                        continue;
                    }
                    int found = searchPart(shown, part, text);
                    count += found;
                    isDone = mode == Mode.FILES_WITH_MATCHES && found > 0;
                    part = piece;
                    text.setLength(0);
                    text.append(piece.text());
                }
                case DocumentLine.Failure failure ->
                        unreadable.add("Cannot read %s. %s".formatted(name, failure.message()));
                case DocumentLine.Cut(String message) -> unreadable.add(shown + ": " + message);
                case DocumentLine.Header _, DocumentLine.End _, DocumentLine.Picture _ -> {}
            }
        }
        count += isDone ? 0 : searchPart(shown, part, text);
        if (mode == Mode.COUNT) {
            search.addCount(shown, count);
        } else if (mode == Mode.FILES_WITH_MATCHES && count > 0) {
            report.add(shown);
        }
    }

    private static boolean isSame(@Nullable DocumentPart part, DocumentPart piece) {
        return part != null && part.kind() == piece.kind() && part.number() == piece.number();
    }

    /** How many lines match; 1 is enough where only the file is named. */
    private int searchPart(String shown, @Nullable DocumentPart part, StringBuilder text)
            throws IOException, InvalidArgumentException {
        if (part == null || text.isEmpty()) {
            return 0;
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        FileSearch.Source source = () -> new ByteArrayInputStream(bytes);
        String place = DocumentTitle.of(part);
        String where = place.isEmpty() ? shown : shown + ":" + place;
        return switch (mode) {
            case CONTENT -> {
                search.addLines(where, source);
                yield 0;
            }
            case FILES_WITH_MATCHES -> search.matches(where, source) ? 1 : 0;
            case COUNT -> search.count(where, source);
        };
    }
}
