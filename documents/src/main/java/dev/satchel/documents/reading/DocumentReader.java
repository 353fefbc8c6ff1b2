package dev.satchel.documents.reading;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads documents of one format. It writes the header and then the parts as it finds them, so that
 * its memory does not grow with the number of parts.
 */
public interface DocumentReader {
    void read(Path file, ExtractRequest request, PartWriter out) throws IOException;
}
