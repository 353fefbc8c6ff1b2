package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The text of a document or of a plain text.
 *
 * @param status {@code ready}; {@code pending} while a file of a chat or an asset is still to be
 *     read; {@code failed}; {@code none} when the file is no text
 * @param problem why there is no text, or not all of it
 * @param format such as {@code pdf} or {@code text}
 */
public record FileText(
        String status,
        @Nullable String problem,
        @Nullable String format,
        @Nullable String title,
        List<Part> parts,
        JsonNode json)
        implements ServerObject {

    public FileText {
        parts = List.copyOf(parts);
    }

    /**
     * A page, a sheet, a slide, a section and the like. A long one comes in several with the same
     * number.
     *
     * @param picture whether it is a picture without text
     * @param ocr whether the text was read from a picture
     */
    public record Part(
            String kind,
            int number,
            @Nullable String title,
            String text,
            boolean picture,
            boolean ocr) {}
}
