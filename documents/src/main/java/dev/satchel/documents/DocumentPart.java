package dev.satchel.documents;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A part of a document in reading order: a page, a sheet, a slide. A long part arrives in several
 * pieces, one after the other, with the same kind, number and title; their texts are joined with a
 * line feed.
 *
 * @param number the place among the parts of its kind in the document, from 1 on
 * @param text plain text with {@code #} for headings, {@code -} for lists, {@code |} between the
 *     columns of tables
 * @param isPicture whether it shows a picture and has no text, so that only OCR can read it
 * @param isOcr whether the text was read from a picture
 */
public record DocumentPart(
        Kind kind,
        int number,
        @Nullable String title,
        String text,
        boolean isPicture,
        boolean isOcr) {
    public DocumentPart {
        if (number < 1) {
            throw new IllegalArgumentException("parts are numbered from 1 on: " + number);
        }
    }

    /** A part with text of the document. */
    public static DocumentPart text(Kind kind, int number, @Nullable String title, String text) {
        return new DocumentPart(kind, number, title, text, false, false);
    }

    /** What the part is in the format of its document. */
    public enum Kind {
        PAGE,
        SHEET,
        SLIDE,
        SECTION,
        CHAPTER,
        MESSAGE,
        ATTACHMENT,
        CELL,
        ENTRY;

        /** The name in the lines, such as {@code page}. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Optional<Kind> find(String wireName) {
            for (Kind kind : values()) {
                if (kind.wireName().equals(wireName)) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }
    }
}
