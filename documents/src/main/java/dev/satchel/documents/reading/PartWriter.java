package dev.satchel.documents.reading;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.DocumentLines;
import dev.satchel.documents.DocumentPart;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the parts of a document as lines while they are read, in pieces of bounded size, and keeps
 * the limits of the request. One thread uses it; the stream stays open.
 */
public final class PartWriter {
    private static final int PIECE_CHARS = 64 * 1024;

    private final OutputStream out;
    private final PartRange wanted;
    private final ExtractRequest.Limits limits;
    private final long deadline;
    private final StringBuilder text = new StringBuilder();
    private DocumentPart.Kind kind = DocumentPart.Kind.SECTION;
    private int number;
    private @Nullable String title;
    private boolean isOpen;
    private boolean isMuted;
    private boolean hasPieces;
    private int parts;
    private long bytes;

    public PartWriter(OutputStream out, ExtractRequest request) {
        this.out = out;
        this.wanted = request.pages();
        this.limits = request.limits();
        this.deadline = System.nanoTime() + limits.maxTime().toNanos();
    }

    /** Writes the header. It is called once, before the first part. */
    public void header(DocumentFormat format, @Nullable Integer count, @Nullable String name)
            throws IOException {
        String given = name == null || name.isBlank() ? null : name.strip();
        write(new DocumentLine.Header(format, count, given));
    }

    /** How many cells of a workbook are read. */
    long maxCells() {
        return limits.maxCells();
    }

    /** Whether the request wants this part, so that its text need not be found. */
    public boolean isWanted(int partNumber) {
        return wanted.contains(partNumber);
    }

    /** Whether all wanted parts come before this one. */
    public boolean isPast(int partNumber) {
        return partNumber > wanted.last();
    }

    /** Begins a part. If the request does not want it, what follows is dropped. */
    public void begin(DocumentPart.Kind partKind, int partNumber, @Nullable String partTitle)
            throws IOException {
        checkTime();
        isMuted = !isWanted(partNumber);
        if (isMuted) {
            return;
        }
        if (parts >= limits.maxParts()) {
            throw new LimitReachedException(
                    "Only the first " + parts + " parts are shown; the rest is missing.");
        }
        parts++;
        kind = partKind;
        number = partNumber;
        title = partTitle == null || partTitle.isBlank() ? null : partTitle.strip();
        isOpen = true;
        hasPieces = false;
    }

    public PartWriter append(CharSequence piece) throws IOException {
        if (!isMuted) {
            text.append(piece);
            flushLongText();
        }
        return this;
    }

    public PartWriter append(char c) throws IOException {
        if (!isMuted) {
            text.append(c);
            flushLongText();
        }
        return this;
    }

    /** Whether nothing of the part has been appended. */
    public boolean isEmpty() {
        return text.isEmpty() && !hasPieces;
    }

    /** Ends the part. A part without text is written too. */
    public void end() throws IOException {
        end(false, false);
    }

    /** Ends a part that is a picture, or whose text was read from one. */
    public void end(boolean isPicture, boolean isOcr) throws IOException {
        if (isMuted) {
            return;
        }
        int length = text.length();
        while (length > 0 && text.charAt(length - 1) <= ' ') {
            length--;
        }
        if (length > 0 || !hasPieces) {
            writePiece(length, isPicture, isOcr);
        }
        text.setLength(0);
        isOpen = false;
    }

    /** A part of which everything is known. */
    public void part(DocumentPart part) throws IOException {
        begin(part.kind(), part.number(), part.title());
        append(part.text());
        end(part.isPicture(), part.isOcr());
    }

    /** Writes what there is of the open part, as the end of the document is not reached. */
    public void abandon() throws IOException {
        String piece = text.toString();
        String head = piece.substring(0, fitting(piece, limits.maxText() - bytes));
        if (isOpen && !head.isBlank()) {
            writePart(head, false, false);
        }
        text.setLength(0);
        isOpen = false;
    }

    /** Writes another line as it is. */
    public void write(DocumentLine line) throws IOException {
        out.write(DocumentLines.encode(line));
        out.flush();
    }

    /** Loops that can take long call it. */
    public void checkTime() throws DocumentException {
        if (System.nanoTime() - deadline > 0) {
            throw new DocumentException(
                    Failure.Code.TIMEOUT,
                    "Reading the document took longer than "
                            + limits.maxTime().toSeconds()
                            + " seconds.");
        }
    }

    private void flushLongText() throws IOException {
        if (text.length() < PIECE_CHARS) {
            return;
        }
        int newline = text.lastIndexOf("\n");
        int length = newline > PIECE_CHARS / 2 ? newline : wholeCharacters();
        writePiece(length, false, false);
        text.delete(0, newline == length ? length + 1 : length);
        checkTime();
    }

    /** Does not split a surrogate pair. */
    private int wholeCharacters() {
        int length = text.length();
        return Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
    }

    private void writePiece(int length, boolean isPicture, boolean isOcr) throws IOException {
        String piece = text.substring(0, length);
        long size = utf8Length(piece);
        if (bytes + size > limits.maxText()) {
            String head = piece.substring(0, fitting(piece, limits.maxText() - bytes));
            if (!head.isEmpty()) {
                writePart(head, isPicture, isOcr);
            }
            text.setLength(0);
            isOpen = false;
            throw new LimitReachedException(
                    "Only the first "
                            + limits.maxText()
                            + " bytes of the text are shown; the rest, from "
                            + kind.wireName()
                            + " "
                            + number
                            + " on, is missing.");
        }
        bytes += size;
        writePart(piece, isPicture, isOcr);
    }

    private void writePart(String piece, boolean isPicture, boolean isOcr) throws IOException {
        hasPieces = true;
        write(
                new DocumentLine.Part(
                        new DocumentPart(kind, number, title, piece, isPicture, isOcr)));
    }

    private static long utf8Length(String text) {
        long size = 0;
        for (int i = 0; i < text.length(); i++) {
            size += utf8Length(text.charAt(i));
        }
        return size;
    }

    /** The number of characters that fit into so many bytes. */
    private static int fitting(String text, long room) {
        long size = 0;
        int end = 0;
        while (end < text.length()) {
            size += utf8Length(text.charAt(end));
            if (size > room) {
                break;
            }
            end++;
        }
        return end > 0 && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    }

    /** Each half of a surrogate pair counts as two of its four bytes. */
    private static int utf8Length(char c) {
        if (c < 0x80) {
            return 1;
        }
        return c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
    }
}
