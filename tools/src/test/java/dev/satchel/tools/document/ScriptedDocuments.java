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
 * Takes the text after {@code %PDF-} for the pages of a document, separated by form feeds. A page
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

    public boolean readsPictures;
    public int perSearch = 20;
    public int maxPages = 1_000;
    private final Set<String> known = new HashSet<>();

    /** The bytes of a document with these pages. */
    public static String pdf(String... pages) {
        return "%PDF-" + String.join("\f", pages);
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
        for (DocumentLine line :
                all.startsWith(PICTURE) || all.startsWith(SCAN)
                        ? picture(all.substring(all.indexOf('\0') + 1))
                        : lines(all.substring("%PDF-".length()), selection)) {
            lines.writeBytes(DocumentLines.encode(line));
        }
        return new DocumentLines(new ByteArrayInputStream(lines.toByteArray()));
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

    private List<DocumentLine> lines(String text, DocumentSelection selection) {
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
