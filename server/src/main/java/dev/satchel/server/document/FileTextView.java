package dev.satchel.server.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentPart;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The text of a file in a response.
 *
 * @param status {@code ready}, {@code pending} until it is read, {@code failed}, or {@code none}
 * @param problem why there is no text, or not all of it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FileTextView(
        String status,
        @Nullable String problem,
        @Nullable String format,
        @Nullable String title,
        List<Part> parts) {

    /** A page, a sheet, a slide, or the whole of a text. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Part(
            String kind,
            int number,
            @Nullable String title,
            String text,
            @Nullable Boolean picture,
            @Nullable Boolean ocr) {
        static Part of(DocumentPart part) {
            return new Part(
                    part.kind().wireName(),
                    part.number(),
                    part.title(),
                    part.text(),
                    part.isPicture() ? Boolean.TRUE : null,
                    part.isOcr() ? Boolean.TRUE : null);
        }
    }

    static FileTextView without(String status, @Nullable String problem) {
        return new FileTextView(status, problem, null, null, List.of());
    }

    static FileTextView plain(String text, @Nullable String problem) {
        Part whole = new Part("section", 1, null, text, null, null);
        return new FileTextView("ready", problem, "text", null, List.of(whole));
    }

    static FileTextView of(
            List<DocumentLine> lines, @Nullable String problem, Predicate<DocumentPart> wanted) {
        String format = null;
        String title = null;
        for (DocumentLine line : lines) {
            if (line instanceof DocumentLine.Header header) {
                format = header.format().wireName();
                title = header.title();
            }
        }
        List<Part> parts = FileTexts.parts(lines).stream().filter(wanted).map(Part::of).toList();
        return new FileTextView("ready", problem, format, title, parts);
    }
}
