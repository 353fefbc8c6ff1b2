package dev.satchel.http;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cuts a multipart body at its delimiters. Two bytes that every delimiter has are searched for,
 * many places at a time, so that a large file costs little whatever is in it.
 */
final class PartReader {
    private static final int BUFFER = 64 * 1024;
    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long RETURNS = '\r' * ONES;
    private static final long DASHES = '-' * ONES;

    /** Where a delimiter, which begins {@code \r\n--}, has its second dash. */
    private static final int DASH_AT = 3;

    /** Bytes looked at before the first branch. */
    private static final int STRIDE = 32;

    private final InputStream body;
    private final byte[] delimiter;
    private final byte[] buffer = new byte[BUFFER];
    private int head;
    private int tail;

    /** Up to here no delimiter begins; what lies before it belongs to the part. */
    private int safe;

    private boolean found;

    PartReader(InputStream body, String boundary) {
        this.body = body;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        buffer[tail++] = '\r'; // so that the first delimiter looks like the others
        buffer[tail++] = '\n';
    }

    /** Bytes of the part in hand, or -1 at its end. */
    int read(byte[] target, int offset, int length) throws IOException {
        int ready = ready();
        if (ready == 0) {
            return -1;
        }
        int count = Math.min(ready, length);
        System.arraycopy(buffer, head, target, offset, count);
        head += count;
        return count;
    }

    void skipPart() throws IOException {
        while (ready() > 0) {
            head = safe;
        }
    }

    /** Passes over the delimiter that stands next; false when no part follows it. */
    boolean nextPart() throws IOException {
        head += delimiter.length;
        found = false;
        int first = next();
        int second = next();
        if (first == '-' && second == '-') {
            return false;
        }
        if (first != '\r' || second != '\n') {
            throw Multipart.malformed("something follows a boundary");
        }
        return true;
    }

    /** The lines up to an empty one; the part's content begins after it. */
    String readHeaders(int maxBytes) throws IOException {
        byte[] bytes = new byte[maxBytes];
        int count = 0;
        while (!endsHeaders(bytes, count)) {
            if (count == maxBytes) {
                throw Multipart.malformed("a part's headers are too long");
            }
            bytes[count++] = (byte) next();
        }
        safe = head;
        return new String(
                bytes, 0, count, StandardCharsets.UTF_8); // as browsers and curl send names
    }

    private static boolean endsHeaders(byte[] bytes, int count) {
        boolean ended = count >= 2 && bytes[count - 2] == '\r' && bytes[count - 1] == '\n';
        return ended
                && (count == 2
                        || (count >= 4 && bytes[count - 4] == '\r' && bytes[count - 3] == '\n'));
    }

    /** How many bytes of the part can be had at once; 0 when its delimiter stands next. */
    private int ready() throws IOException {
        while (safe == head && !found) {
            int at = search();
            found = at >= 0;
            safe = found ? at : Math.max(head, tail - delimiter.length + 1);
            if (safe == head && !found) {
                fill();
            }
        }
        return safe - head;
    }

    private int search() {
        int at = safe;
        for (; at + STRIDE + DASH_AT <= tail; at += STRIDE) {
            long places = places(at) | places(at + 8) | places(at + 16) | places(at + 24);
            int found = places == 0 ? -1 : among(at, at + STRIDE);
            if (found >= 0) {
                return found;
            }
        }
        return among(at, tail);
    }

    private int among(int from, int to) {
        int end = Math.min(to, tail - delimiter.length + 1);
        for (int at = from; at < end; at++) {
            if (Arrays.equals(buffer, at, at + delimiter.length, delimiter, 0, delimiter.length)) {
                return at;
            }
        }
        return -1;
    }

    /** Not 0 where, at one of eight places, a delimiter's first and last common bytes stand. */
    private long places(int at) {
        long differ =
                ((long) WORDS.get(buffer, at) ^ RETURNS)
                        | ((long) WORDS.get(buffer, at + DASH_AT) ^ DASHES);
        return (differ - ONES) & ~differ & HIGHS; // a zero byte where both are right
    }

    private int next() throws IOException {
        if (head == tail) {
            safe = head;
            fill();
        }
        return buffer[head++] & 0xff;
    }

    private void fill() throws IOException {
        System.arraycopy(buffer, head, buffer, 0, tail - head);
        safe -= head;
        tail -= head;
        head = 0;
        int read = body.read(buffer, tail, BUFFER - tail);
        if (read < 0) {
            throw Multipart.malformed("it breaks off");
        }
        tail += read;
    }
}
