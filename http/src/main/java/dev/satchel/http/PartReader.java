package dev.satchel.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cuts a multipart body at its delimiters. They are searched for with the skips of Boyer, Moore and
 * Horspool, so that a large file costs a look at one byte in many.
 */
final class PartReader {
    private static final int BUFFER = 64 * 1024;

    private final InputStream body;
    private final byte[] delimiter;
    private final int[] skips = new int[256];
    private final byte[] buffer = new byte[BUFFER];
    private int head;
    private int tail;

    /** Up to here no delimiter begins; what lies before it belongs to the part. */
    private int safe;

    private boolean found;

    PartReader(InputStream body, String boundary) {
        this.body = body;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        Arrays.fill(skips, delimiter.length);
        for (int i = 0; i < delimiter.length - 1; i++) {
            skips[delimiter[i] & 0xff] = delimiter.length - 1 - i;
        }
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
        int last = delimiter.length - 1;
        for (int end = safe + last; end < tail; end += skips[buffer[end] & 0xff]) {
            int i = last;
            while (i >= 0 && buffer[end - last + i] == delimiter[i]) {
                i--;
            }
            if (i < 0) {
                return end - last;
            }
        }
        return -1;
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
