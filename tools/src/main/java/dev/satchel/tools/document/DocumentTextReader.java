package dev.satchel.tools.document;

import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.tools.InvalidArgumentException;
import java.io.IOException;
import java.time.Duration;

/**
 * Reads documents whose bytes may be hostile: the work is done behind walls, and what was read once
 * is kept by the hash of its bytes. Safe for threads.
 */
public interface DocumentTextReader {
    /** Where no document can be read. */
    static DocumentTextReader none(String reason) {
        return new UnavailableDocuments(reason);
    }

    /** How much one search reads that was not read before: so many documents, for so long. */
    record SearchLimits(int documents, Duration time) {}

    default SearchLimits searchLimits() {
        return new SearchLimits(20, Duration.ofSeconds(60));
    }

    /** Empty when documents can be read, else why not. */
    String unavailable();

    /**
     * The lines of a document; the caller closes them. A document that cannot be read has a line
     * that says so.
     *
     * @throws InvalidArgumentException says in plain words why it is not tried
     */
    DocumentLines read(String filename, OpenFile file, DocumentSelection selection)
            throws IOException, InterruptedException, InvalidArgumentException;

    /** Whether the whole document was read before, so that reading it again costs little. */
    boolean isKnown(String filename, OpenFile file) throws IOException, InterruptedException;

    /**
     * One page as a picture whose longer side has at most so many pixels.
     *
     * @throws InvalidArgumentException says in plain words why there is none
     */
    DocumentLine.Picture render(String filename, OpenFile file, int page, int maxSide)
            throws IOException, InterruptedException, InvalidArgumentException;

    /** Whether pictures of text are read. */
    boolean readsPictures();

    /** Why the text of pictures is not read, and what would change it; empty when it is read. */
    default String picturesUnread() {
        return readsPictures() ? "" : "OCR is off here.";
    }

    /** The refusal of a document, with the reason as a sentence. */
    static InvalidArgumentException problem(String filename, String reason) {
        return new InvalidArgumentException("Cannot read %s. %s".formatted(filename, reason));
    }
}
