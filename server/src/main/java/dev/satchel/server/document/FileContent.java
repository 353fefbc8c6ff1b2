package dev.satchel.server.document;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.server.file.ContentTypeDetector;
import java.util.Arrays;
import java.util.Optional;

/** How the text of a file is read. */
enum FileContent {
    /** As it is. */
    TEXT,
    /** By the extraction behind walls. */
    DOCUMENT,
    /** There is none. */
    OTHER;

    static FileContent of(String filename, byte[] head) {
        Optional<DocumentFormat> format = DocumentFormat.detect(filename, head);
        if (format.isPresent()) {
            return DOCUMENT;
        }
        byte[] start = Arrays.copyOf(head, Math.min(head.length, ContentTypeDetector.HEAD_BYTES));
        String type = ContentTypeDetector.detect(filename, start);
        return ContentTypeDetector.isText(type) ? TEXT : OTHER;
    }
}
