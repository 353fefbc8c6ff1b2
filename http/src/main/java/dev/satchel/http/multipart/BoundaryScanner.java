package dev.satchel.http.multipart;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Splits a multipart body at its delimiters. It compares two bytes that every delimiter has, at 32
 * positions per step, so that a large file needs little CPU time whatever bytes it has.
 */
final class BoundaryScanner {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long RETURNS = '\r' * ONES;
    private static final long DASHES = '-' * ONES;

    /** The index of the second dash in a delimiter, which begins with {@code \r\n--}. */
    private static final int DASH_INDEX = 3;

    /** How many positions are compared before the first branch. */
    private static final int STRIDE = 32;

    private final InputStream body;
    private final byte[] delimiter;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int head;
    private int tail;

    /** No delimiter begins before this index: the bytes before it belong to the part. */
    private int contentEnd;

    private boolean delimiterFound;

    BoundaryScanner(InputStream body, String boundary) {
        this.body = body;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        buffer[tail++] = '\r'; // so that the first delimiter looks like the others
        buffer[tail++] = '\n';
    }

    /** Bytes of the current part, or -1 at its end. */
    int read(byte[] target, int offset, int length) throws IOException {
        int available = fillContent();
        if (available == 0) {
            return -1;
        }
        int count = Math.min(available, length);
        System.arraycopy(buffer, head, target, offset, count);
        head += count;
        return count;
    }

    void skipContent() throws IOException {
        while (fillContent() > 0) {
            head = contentEnd;
        }
    }

    /** Skips the delimiter at the current position; returns false when no part follows it. */
    boolean skipDelimiter() throws IOException {
        head += delimiter.length;
        delimiterFound = false;
        int first = readByte();
        int second = readByte();
        if (first == '-' && second == '-') {
            return false;
        }
        if (first != '\r' || second != '\n') {
            throw MultipartReader.malformed("unexpected bytes after a boundary");
        }
        return true;
    }

    /** The lines up to an empty one; the content of the part begins after it. */
    String readHeaders(int maxBytes) throws IOException {
        byte[] bytes = new byte[maxBytes];
        int count = 0;
        while (!endsHeaders(bytes, count)) {
            if (count == maxBytes) {
                throw MultipartReader.malformed("the headers of a part are too long");
            }
            bytes[count++] = (byte) readByte();
        }
        contentEnd = head;
        return new String(bytes, 0, count, StandardCharsets.UTF_8); // browsers and curl send UTF-8
    }

    private static boolean endsHeaders(byte[] bytes, int count) {
        boolean lineEnds = count >= 2 && bytes[count - 2] == '\r' && bytes[count - 1] == '\n';
        return lineEnds
                && (count == 2
                        || (count >= 4 && bytes[count - 4] == '\r' && bytes[count - 3] == '\n'));
    }

    /** The number of content bytes in the buffer; 0 when the delimiter is next. */
    private int fillContent() throws IOException {
        while (contentEnd == head && !delimiterFound) {
            int index = findDelimiter();
            delimiterFound = index >= 0;
            contentEnd = delimiterFound ? index : Math.max(head, tail - delimiter.length + 1);
            if (contentEnd == head && !delimiterFound) {
                fillBuffer();
            }
        }
        return contentEnd - head;
    }

    private int findDelimiter() {
        int from = contentEnd;
        for (; from + STRIDE + DASH_INDEX <= tail; from += STRIDE) {
            long candidates =
                    candidates(from)
                            | candidates(from + 8)
                            | candidates(from + 16)
                            | candidates(from + 24);
            int index = candidates == 0 ? -1 : findDelimiter(from, from + STRIDE);
            if (index >= 0) {
                return index;
            }
        }
        return findDelimiter(from, tail);
    }

    private int findDelimiter(int from, int to) {
        int end = Math.min(to, tail - delimiter.length + 1);
        for (int at = from; at < end; at++) {
            if (Arrays.equals(buffer, at, at + delimiter.length, delimiter, 0, delimiter.length)) {
                return at;
            }
        }
        return -1;
    }

    /** Not 0 when a delimiter's {@code \r} and second dash match at one of eight positions. */
    private long candidates(int at) {
        long difference =
                ((long) WORDS.get(buffer, at) ^ RETURNS)
                        | ((long) WORDS.get(buffer, at + DASH_INDEX) ^ DASHES);
        return (difference - ONES) & ~difference & HIGH_BITS; // a zero byte where both match
    }

    private int readByte() throws IOException {
        if (head == tail) {
            contentEnd = head;
            fillBuffer();
        }
        return buffer[head++] & 0xff;
    }

    private void fillBuffer() throws IOException {
        System.arraycopy(buffer, head, buffer, 0, tail - head);
        contentEnd -= head;
        tail -= head;
        head = 0;
        int count = body.read(buffer, tail, BUFFER_BYTES - tail);
        if (count < 0) {
            throw MultipartReader.malformed("it ends before the last boundary");
        }
        tail += count;
    }
}
