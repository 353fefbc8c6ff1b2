package dev.satchel.runner.sandbox;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Retains the beginning and the end of an output, with a note how many bytes are missing. */
final class OutputBuffer {
    private static final int CONTINUATION_MASK = 0xC0;
    private static final int CONTINUATION = 0x80;

    private final int headLimit;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private final byte[] tail;
    private long tailBytes;

    OutputBuffer(int limit) {
        headLimit = limit / 2;
        tail = new byte[limit - headLimit];
    }

    synchronized void write(byte[] bytes, int length) {
        int first = Math.min(length, headLimit - head.size());
        head.write(bytes, 0, first);
        int skipped = Math.max(0, length - first - tail.length);
        tailBytes += skipped;
        for (int i = first + skipped; i < length; i++) {
            tail[(int) (tailBytes++ % tail.length)] = bytes[i];
        }
    }

    synchronized boolean truncated() {
        return tailBytes > tail.length;
    }

    synchronized String text() {
        if (!truncated()) {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            whole.writeBytes(head.toByteArray());
            whole.write(tail, 0, (int) tailBytes);
            return whole.toString(StandardCharsets.UTF_8);
        }
        byte[] beginning = head.toByteArray();
        int headEnd = characterStart(beginning);
        byte[] end = orderedTail();
        int tailStart = 0;
        while (tailStart < end.length && isContinuation(end[tailStart])) {
            tailStart++;
        }
        long cut = tailBytes - tail.length + (beginning.length - headEnd) + tailStart;
        return new String(beginning, 0, headEnd, StandardCharsets.UTF_8)
                + "\n[… "
                + cut
                + " bytes left out …]\n"
                + new String(end, tailStart, end.length - tailStart, StandardCharsets.UTF_8);
    }

    private byte[] orderedTail() {
        byte[] ordered = new byte[tail.length];
        int start = tail.length == 0 ? 0 : (int) (tailBytes % tail.length);
        System.arraycopy(tail, start, ordered, 0, tail.length - start);
        System.arraycopy(tail, 0, ordered, tail.length - start, start);
        return ordered;
    }

    /** The start of the last character if it is incomplete, else the end. */
    private static int characterStart(byte[] bytes) {
        int start = bytes.length - 1;
        while (start >= 0 && bytes.length - start < 4 && isContinuation(bytes[start])) {
            start--;
        }
        if (start < 0) {
            return bytes.length;
        }
        return start + characterLength(bytes[start]) > bytes.length ? start : bytes.length;
    }

    private static int characterLength(byte first) {
        int ones = Integer.numberOfLeadingZeros(~(first << 24));
        return Math.max(1, ones);
    }

    private static boolean isContinuation(byte value) {
        return (value & CONTINUATION_MASK) == CONTINUATION;
    }
}
