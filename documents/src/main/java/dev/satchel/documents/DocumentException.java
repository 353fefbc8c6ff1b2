package dev.satchel.documents;

import dev.satchel.documents.DocumentLine.Failure;
import java.io.IOException;

/** A document cannot be read. The message is for the person who has the document. */
public final class DocumentException extends IOException {
    private static final long serialVersionUID = 1;

    private final Failure.Code code;

    public DocumentException(Failure.Code code, String message) {
        super(message);
        this.code = code;
    }

    public Failure.Code code() {
        return code;
    }

    public Failure toLine() {
        return new Failure(code, String.valueOf(getMessage()));
    }
}
