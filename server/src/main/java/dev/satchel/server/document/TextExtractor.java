package dev.satchel.server.document;

import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.tools.document.DocumentSelection;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Extracts the text of documents behind walls, never in the process of the server. What cannot be
 * read is a line of the document, not an exception. Safe for threads; a call waits for its turn,
 * and an interrupt ends it.
 */
public interface TextExtractor {
    /** Why no document can be read here; empty when documents can be read. */
    Optional<String> unavailable();

    /**
     * Whether the text of pictures is read, by OCR; false where no document can be read.
     *
     * @throws ExtractionUnavailableException when it is not known now
     */
    boolean readsPictures() throws IOException, InterruptedException;

    /**
     * The lines of a document: its header, its parts, and how it ended. The caller closes them. The
     * bytes are read to their end and not closed.
     *
     * @throws ExtractionUnavailableException when another attempt may succeed, or {@link
     *     #unavailable} says why not
     */
    DocumentLines extract(InputStream bytes, String filename, DocumentSelection selection)
            throws IOException, InterruptedException;

    /** One page of a PDF as a picture, whose longer side has at most so many pixels. */
    DocumentLine.Picture render(InputStream bytes, String filename, int page, int maxSide)
            throws IOException, InterruptedException;
}
