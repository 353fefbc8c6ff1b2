package dev.satchel.tools.document;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLines;
import dev.satchel.documents.DocumentPart;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.tools.InvalidArgumentException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes the text after {@code %PDF-} for the pages of a document, separated by form feeds; after
 * the bytes with which a notebook or an archive begins, for its cells and for its list. A page
 * {@code picture} is one, a page {@code blank} one in which OCR found no text, and a document
 * {@code locked} is encrypted. The text of a picture stands behind its zero byte.
 */
public final class ScriptedDocuments implements DocumentTextReader {
    /** What was read, with the pages where not all were. */
    public final List<String> read = new ArrayList<>();

    /** How a picture begins. */
    public static final String PICTURE = "GIF89a\0";

    /** How a picture begins that view cannot show. */
    public static final String SCAN = "II*\0";

    private static final String NOTEBOOK = "{\"cells\":";
    private static final String ZIP = "PK\3\4";

    public boolean readsPictures;
    public int perSearch = 20;
    public int maxPages = 1_000;
    private final Set<String> known = new HashSet<>();

    /** The bytes of a document with these pages. */
    public static String pdf(String... pages) {
        return "%PDF-" + String.join("\f", pages);
    }

    /** The bytes of a notebook with these cells. */
    public static String notebook(String... cells) {
        return NOTEBOOK + String.join("\f", cells);
    }

    /** The bytes of an archive with this list. */
    public static String zip(String list) {
        return ZIP + list;
    }

    @Override
    public SearchLimits searchLimits() {
        return new SearchLimits(perSearch, Duration.ofMinutes(1));
    }

    @Override
    public String unavailable() {
        return "";
    }

    @Override
    public boolean isKnown(String filename, OpenFile file) {
        return known.contains(filename);
    }

    @Override
    public boolean readsPictures() {
        return readsPictures;
    }

    @Override
    public DocumentLines read(String filename, OpenFile file, DocumentSelection selection)
            throws IOException {
        read.add(filename + (selection.isAll() ? "" : " " + selection.pages()));
        known.add(filename);
        file.channel().position(0);
        byte[] bytes = Channels.newInputStream(file.channel()).readAllBytes();
        String all = new String(bytes, StandardCharsets.UTF_8);
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        lines(all, selection).forEach(line -> lines.writeBytes(DocumentLines.encode(line)));
        return new DocumentLines(new ByteArrayInputStream(lines.toByteArray()));
    }

    private List<DocumentLine> lines(String all, DocumentSelection selection) {
        if (all.startsWith(NOTEBOOK)) {
            String[] cells = all.substring(NOTEBOOK.length()).split("\f", -1);
            return whole(DocumentFormat.NOTEBOOK, DocumentPart.Kind.CELL, cells);
        }
        if (all.startsWith(ZIP)) {
            String list = all.substring(ZIP.length());
            return whole(DocumentFormat.ZIP, DocumentPart.Kind.SECTION, list);
        }
        return all.startsWith(PICTURE) || all.startsWith(SCAN)
                ? picture(all.substring(all.indexOf('\0') + 1))
                : pages(all.substring("%PDF-".length()), selection);
    }

    private static List<DocumentLine> whole(
            DocumentFormat format, DocumentPart.Kind kind, String... parts) {
        List<DocumentLine> lines = new ArrayList<>();
        lines.add(new DocumentLine.Header(format, parts.length, null));
        for (int i = 0; i < parts.length; i++) {
            lines.add(new DocumentLine.Part(DocumentPart.text(kind, i + 1, null, parts[i])));
        }
        lines.add(new DocumentLine.End());
        return lines;
    }

    private static List<DocumentLine> picture(String text) {
        if (text.equals("locked")) {
            return List.of(new Failure(Failure.Code.UNSUPPORTED, "OCR failed."));
        }
        return List.of(
                new DocumentLine.Header(DocumentFormat.IMAGE, 1, null),
                new DocumentLine.Part(
                        new DocumentPart(DocumentPart.Kind.SECTION, 1, null, text, false, true)),
                new DocumentLine.End());
    }

    private List<DocumentLine> pages(String text, DocumentSelection selection) {
        if (text.equals("locked")) {
            return List.of(new Failure(Failure.Code.ENCRYPTED, "It needs a password."));
        }
        String[] pages = text.split("\f", -1);
        List<DocumentLine> lines = new ArrayList<>();
        lines.add(new DocumentLine.Header(DocumentFormat.PDF, pages.length, null));
        int written = 0;
        for (int i = 0; i < pages.length && written < maxPages; i++) {
            boolean isPicture = pages[i].equals("picture");
            boolean isBlank = pages[i].equals("blank");
            DocumentPart part =
                    new DocumentPart(
                            DocumentPart.Kind.PAGE,
                            i + 1,
                            null,
                            isPicture || isBlank ? "" : pages[i],
                            isPicture,
                            isBlank);
            if (selection.includes(part)) {
                lines.add(new DocumentLine.Part(part));
                written++;
            }
        }
        if (written == maxPages) {
            lines.add(new DocumentLine.Cut("The rest is missing."));
        }
        lines.add(new DocumentLine.End());
        return lines;
    }

    @Override
    public DocumentLine.Picture render(String filename, OpenFile file, int page, int maxSide)
            throws InvalidArgumentException {
        if (page > maxPages) {
            throw DocumentTextReader.problem(filename, "It has no page " + page + ".");
        }
        return new DocumentLine.Picture(page, "image/png", "A".repeat(4 * maxSide));
    }
}
