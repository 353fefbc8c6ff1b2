package dev.satchel.server.sandbox;

import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.server.document.ExtractionUnavailableException;
import dev.satchel.server.document.TextExtractor;
import dev.satchel.tools.document.DocumentSelection;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** For servers that read no documents. */
public record NoTextExtractor(String reason) implements TextExtractor {
    @Override
    public Optional<String> unavailable() {
        return Optional.of(reason);
    }

    @Override
    public boolean readsPictures() {
        return false;
    }

    @Override
    public DocumentLines extract(InputStream bytes, String filename, DocumentSelection selection)
            throws IOException {
        throw new ExtractionUnavailableException(reason);
    }

    @Override
    public DocumentLine.Picture render(InputStream bytes, String filename, int page, int maxSide)
            throws IOException {
        throw new ExtractionUnavailableException(reason);
    }
}
