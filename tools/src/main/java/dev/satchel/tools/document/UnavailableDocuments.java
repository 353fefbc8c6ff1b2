package dev.satchel.tools.document;

import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLines;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.tools.InvalidArgumentException;

/** Refuses every document with the same reason. */
record UnavailableDocuments(String reason) implements DocumentTextReader {
    @Override
    public String unavailable() {
        return reason;
    }

    @Override
    public DocumentLines read(String filename, OpenFile file, DocumentSelection selection)
            throws InvalidArgumentException {
        throw DocumentTextReader.problem(filename, reason);
    }

    @Override
    public boolean isKnown(String filename, OpenFile file) {
        return false;
    }

    @Override
    public DocumentLine.Picture render(String filename, OpenFile file, int page, int maxSide)
            throws InvalidArgumentException {
        throw DocumentTextReader.problem(filename, reason);
    }

    @Override
    public boolean readsPictures() {
        return false;
    }
}
