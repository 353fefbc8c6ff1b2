package dev.satchel.runner.document;

import java.io.IOException;
import java.nio.file.Path;

/** A copy of a document that is read, and the hash of its bytes. Closing it deletes the copy. */
public record ReceivedDocument(Path directory, String sha256) implements AutoCloseable {
    /** What the sandbox sees: only the document. */
    Path files() {
        return directory.resolve("files");
    }

    Path lines() {
        return directory.resolve("lines");
    }

    @Override
    public void close() throws IOException {
        SandboxedExtractor.delete(directory);
    }
}
