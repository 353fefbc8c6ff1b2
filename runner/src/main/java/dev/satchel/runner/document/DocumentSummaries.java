package dev.satchel.runner.document;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.tools.TextFile;
import dev.satchel.tools.document.DocumentTextReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what some files have at the same time, for a limited time. */
public final class DocumentSummaries {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentSummaries.class);

    private final ReadableDirectory files;
    private final DocumentTextReader documents;

    public DocumentSummaries(ReadableDirectory files, DocumentTextReader documents) {
        this.files = files;
        this.documents = documents;
    }

    /**
     * Those of the documents among the files that were read in time. An interrupt ends the
     * processes that read.
     */
    public Map<WorkspacePath, DocumentSummary> read(List<WorkspacePath> paths, Duration time)
            throws InterruptedException {
        Map<WorkspacePath, DocumentSummary> found = new ConcurrentHashMap<>();
        if (time.isZero() || !documents.unavailable().isEmpty()) {
            return found;
        }
        List<Thread> readers = new ArrayList<>();
        for (WorkspacePath path : paths) {
            readers.add(Thread.ofVirtual().name("document-hint").start(() -> read(path, found)));
        }
        long end = System.nanoTime() + time.toNanos();
        try {
            for (Thread reader : readers) {
                reader.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } finally {
            readers.forEach(Thread::interrupt);
        }
        for (Thread reader : readers) {
            reader.join();
        }
        return Map.copyOf(found);
    }

    private void read(WorkspacePath path, Map<WorkspacePath, DocumentSummary> found) {
        try (OpenFile file = files.open(path)) {
            boolean isDocument =
                    DocumentFormat.detect(
                                    path.name(), TextFile.head(file, DocumentFormat.HEAD_BYTES))
                            .isPresent();
            if (isDocument) {
                found.put(path, DocumentSummary.read(path.name(), file, documents));
            }
        } catch (IOException e) {
            LOG.debug("no hint for a document", e); // the tools say why
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // it took too long
        }
    }
}
