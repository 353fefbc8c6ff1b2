package dev.satchel.server.document;

import dev.satchel.server.objectstore.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of reading a file, for all files of the tenant with the same bytes.
 *
 * @param key the object with the lines of the document; null when there is no text
 * @param problem why there is no text, or not all of it
 */
record ExtractedText(@Nullable ObjectKey key, long size, @Nullable String problem) {
    static ExtractedText failed(String problem) {
        return new ExtractedText(null, 0, problem);
    }
}
