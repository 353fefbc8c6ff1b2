package dev.satchel.tools.view;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentPart;
import dev.satchel.tools.LineReader;
import dev.satchel.tools.document.DocumentSelection;
import dev.satchel.tools.document.DocumentTitle;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Collects the wanted parts of a document, and of them the wanted lines, up to a size. Its text
 * says how to ask for the rest.
 */
final class DocumentExcerpt {
    private static final String OCR = "Text in the picture (OCR):\n";
    private static final String NO_TEXT = " in which OCR found no text.";
    private static final String NOT_READ =
            " whose text was not read: OCR needs tesseract in the sandbox, and SATCHEL_OCR names"
                    + " its languages.";

    private final DocumentSelection selection;
    private final ViewRange lines;
    private final StringBuilder out = new StringBuilder();
    private DocumentLine.@Nullable Header header;
    private @Nullable DocumentPart last; // of those that were shown
    private @Nullable String cut;
    private @Nullable String next; // how to ask for the rest
    private boolean parts;
    private int pictures; // pages that OCR has not read
    private int textless; // pages in which OCR found no text
    private long bytes;
    private long line; // of the selection
    private long lineOfPart;

    DocumentExcerpt(DocumentViewRequest request) {
        this.selection = request.selection();
        this.lines = request.lines();
    }

    void header(DocumentLine.Header given) {
        header = given;
    }

    void cut(String message) {
        cut = message;
    }

    /** Takes the next piece of a part. */
    void part(DocumentPart part) {
        parts = true;
        if (!selection.includes(part)) {
            return;
        }
        boolean isNew =
                last == null || last.kind() != part.kind() || last.number() != part.number();
        if (isNew) {
            lineOfPart = 0;
        }
        String heading = isNew ? DocumentTitle.heading(part) : "";
        for (String text : part.text().split("\n", -1)) {
            line++;
            lineOfPart++;
            boolean isWanted = line >= lines.first() && line <= lines.last();
            if (isWanted && !add(heading, text, part)) {
                return;
            }
            heading = isWanted ? "" : heading;
        }
        pictures += part.isPicture() ? 1 : 0;
        textless += part.isOcr() && isNew && part.text().isBlank() ? 1 : 0;
        last = part;
    }

    /** False when there is no room for the line. */
    private boolean add(String heading, String text, DocumentPart part) {
        String shown = LineReader.cut(text) + "\n";
        if (!heading.isEmpty()) {
            shown = (out.isEmpty() ? "" : "\n") + heading + "\n" + shown;
        }
        if (part.isPicture() && text.isBlank()) {
            shown = shown.stripTrailing() + "\n" + "(a picture without text)\n";
        }
        bytes += shown.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > lines.maxBytes() && !out.isEmpty()) {
            next = next(part);
            return false;
        }
        out.append(shown);
        return true;
    }

    private String next(DocumentPart part) {
        boolean isAtStart = lineOfPart == 1;
        String range = "view_range=[" + lineOfPart + ", -1]";
        String place =
                switch (part.kind()) {
                    case PAGE, SLIDE, CHAPTER, CELL -> "pages=\"" + part.number() + rest() + "\"";
                    case SHEET ->
                            "sheet=\""
                                    + (part.title() == null ? part.number() : part.title())
                                    + "\"";
                    case MESSAGE, SECTION, ENTRY, ATTACHMENT -> "";
                };
        if (place.isEmpty()) {
            return "view_range=[" + line + ", -1] with raw=false";
        }
        return isAtStart ? place : place + " with " + range;
    }

    /** Up to the end of what was asked for. */
    private String rest() {
        String pages = selection.pages();
        if (pages == null) {
            return "-";
        }
        return selection.isSinglePage() ? "" : pages.substring(pages.indexOf('-'));
    }

    /** Whether nothing more can be shown. */
    boolean isFull() {
        return next != null || line > lines.last();
    }

    boolean hasParts() {
        return parts;
    }

    /** Whether a limit ended the reading of the document. */
    boolean isCut() {
        return cut != null;
    }

    /** Whether something of the selection was found. */
    boolean isFound() {
        return line > 0;
    }

    /** Whether what would be shown has no text. */
    boolean isBlank() {
        return out.toString().isBlank();
    }

    String text() {
        StringBuilder text = new StringBuilder();
        boolean isPicture = header != null && header.format() == DocumentFormat.IMAGE;
        if (isPicture) {
            text.append(textless > 0 ? "(OCR found no text in the picture.)" : OCR);
        } else if (header != null) {
            text.append('(').append(DocumentTitle.of(header)).append(")\n");
        }
        if (out.isEmpty()) {
            return text.append(nothing()).toString();
        }
        text.append(out);
        if (next != null) {
            text.append("\n(There is more. Use ").append(next).append(" to continue.)\n");
        } else if (cut != null && selection.isAll()) {
            text.append("\n(").append(cut).append(")\n");
        }
        if (pictures > 0) {
            text.append('\n').append(note(pictures, NOT_READ)).append('\n');
        }
        if (textless > 0 && !isPicture) {
            text.append('\n').append(note(textless, NO_TEXT)).append('\n');
        }
        return text.toString().stripTrailing();
    }

    private String nothing() {
        if (line > 0) {
            return "(There are no such lines: the text has " + line + " lines.)";
        }
        if (!selection.isAll()) {
            return "(There is no such part.)" + (cut == null ? "" : " (" + cut + ")");
        }
        return cut == null ? "(The document has no text.)" : "(" + cut + ")";
    }

    private static String note(int count, String what) {
        String which = count == 1 ? "1 page is a picture" : count + " pages are pictures";
        return "(" + which + what + " Show such a page with render=true.)";
    }
}
