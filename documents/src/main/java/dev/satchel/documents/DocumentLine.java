package dev.satchel.documents;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One line that {@link ExtractMain} prints: first {@link Header}, then the parts in order, then
 * {@link Cut} if a limit stopped it, last {@link End} or {@link Failure}. With {@code --render} it
 * prints a {@link Picture} and {@link End}.
 */
public sealed interface DocumentLine {

    /**
     * The beginning of a document.
     *
     * @param parts how many parts the whole document has, null if that is known only at its end
     */
    record Header(DocumentFormat format, @Nullable Integer parts, @Nullable String title)
            implements DocumentLine {}

    record Part(DocumentPart part) implements DocumentLine {}

    /** A limit was reached: the message says which one, and what is missing. */
    record Cut(String message) implements DocumentLine {}

    record End() implements DocumentLine {}

    /** The document, or the rest of it, cannot be read. The message is for a person. */
    record Failure(Code code, String message) implements DocumentLine {
        /** Why. */
        public enum Code {
            ENCRYPTED,
            BROKEN,
            UNSUPPORTED,
            TOO_LARGE,
            BOMB,
            TIMEOUT;

            /** The name in the lines, such as {@code too_large}. */
            public String wireName() {
                return name().toLowerCase(Locale.ROOT);
            }

            static Optional<Code> find(String wireName) {
                for (Code code : values()) {
                    if (code.wireName().equals(wireName)) {
                        return Optional.of(code);
                    }
                }
                return Optional.empty();
            }
        }
    }

    /**
     * A rendered page.
     *
     * @param data the picture in Base64
     */
    record Picture(int page, String mimeType, String data) implements DocumentLine {}
}
