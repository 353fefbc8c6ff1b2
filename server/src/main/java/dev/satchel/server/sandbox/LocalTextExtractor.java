package dev.satchel.server.sandbox;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLines;
import dev.satchel.runner.RunnerConfiguration;
import dev.satchel.runner.document.DocumentRefusedException;
import dev.satchel.runner.document.DocumentRequest;
import dev.satchel.runner.document.ReceivedDocument;
import dev.satchel.runner.document.SandboxedExtractor;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import dev.satchel.runner.sandbox.setup.SandboxUnavailableException;
import dev.satchel.server.document.ExtractionUnavailableException;
import dev.satchel.server.document.TextExtractor;
import dev.satchel.tools.document.DocumentSelection;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents in sandboxes of the machine of the server, for servers whose runs have a
 * container or a pod each. It is set up at the first document. Where bubblewrap does not work no
 * document is read.
 */
public final class LocalTextExtractor implements TextExtractor, AutoCloseable {
    private final Map<String, String> variables;
    private final Path directory;
    private final ReentrantLock opening = new ReentrantLock();
    private @Nullable SandboxedExtractor extractor; // guarded by opening
    private @Nullable String problem; // guarded by opening

    /** {@code directory} is for texts and for the documents that are being read. */
    public LocalTextExtractor(Map<String, String> variables, Path directory) {
        this.variables = Map.copyOf(variables);
        this.directory = directory;
    }

    @Override
    public Optional<String> unavailable() {
        try {
            SandboxedExtractor _ = extractor();
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public boolean readsPictures() throws IOException {
        return unavailable().isEmpty() && extractor().readsPictures();
    }

    @Override
    public DocumentLines extract(InputStream bytes, String filename, DocumentSelection selection)
            throws IOException, InterruptedException {
        return lines(bytes, DocumentRequest.text(filename, selection));
    }

    @Override
    public DocumentLine.Picture render(InputStream bytes, String filename, int page, int maxSide)
            throws IOException, InterruptedException {
        try (DocumentLines lines = lines(bytes, DocumentRequest.picture(filename, page, maxSide))) {
            return ExtractedPicture.read(lines, page);
        }
    }

    @Override
    public void close() throws IOException {
        opening.lock();
        try {
            if (extractor != null) {
                extractor.close();
            }
        } finally {
            opening.unlock();
        }
    }

    private DocumentLines lines(InputStream bytes, DocumentRequest request)
            throws IOException, InterruptedException {
        SandboxedExtractor open = extractor();
        try (ReceivedDocument document = open.receive(bytes)) {
            return new DocumentLines(new BufferedInputStream(open.extract(document, request)));
        } catch (DocumentRefusedException e) {
            throw e.isBusy()
                    ? new ExtractionUnavailableException(e.reason())
                    : new DocumentException(Failure.Code.TOO_LARGE, e.reason());
        }
    }

    private SandboxedExtractor extractor() throws IOException {
        opening.lock();
        try {
            if (problem != null) {
                throw new ExtractionUnavailableException(problem);
            }
            if (extractor == null) {
                extractor = open();
            }
            return extractor;
        } catch (SandboxUnavailableException e) {
            problem =
                    "Documents are not read: "
                            + e.getMessage()
                            + "; this server needs it beside its containers or pods";
            throw new ExtractionUnavailableException(problem);
        } finally {
            opening.unlock();
        }
    }

    private SandboxedExtractor open() throws IOException {
        return new SandboxedExtractor(
                SandboxSetup.detect(variables),
                directory,
                RunnerConfiguration.embedded(variables, directory, "unused").documents());
    }
}
