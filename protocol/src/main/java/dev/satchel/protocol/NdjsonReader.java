package dev.satchel.protocol;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Splits a byte stream into lines at 0x0A, before decoding, so that no character is split between
 * two reads. A line has at most {@code maxLineBytes}. Blank lines and a trailing CR are dropped.
 * The last line needs no newline.
 */
public final class NdjsonReader implements AutoCloseable {
    /**
     * Room for a result of 4 MiB, which the trace keeps whole, even with every quote and line feed
     * escaped and every letter beyond ASCII too; much smaller than the heap.
     */
    public static final int DEFAULT_MAX_LINE_BYTES = 16 * 1024 * 1024;

    private final InputStream in;
    private final int maxLineBytes;
    private final byte[] chunk = new byte[16 * 1024];
    private int position;
    private int limit;

    public NdjsonReader(InputStream in, int maxLineBytes) {
        this.in = in;
        this.maxLineBytes = maxLineBytes;
    }

    /** The next line that is not blank, or empty at the end of the stream. */
    public Optional<byte[]> next() throws IOException {
        while (true) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            boolean ended = readLine(line);
            byte[] bytes = withoutCarriageReturn(line.toByteArray());
            if (!isBlank(bytes)) {
                return Optional.of(bytes);
            }
            if (ended) {
                return Optional.empty();
            }
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Returns whether the stream has ended. */
    private boolean readLine(ByteArrayOutputStream line) throws IOException {
        while (true) {
            if (position == limit) {
                limit = in.read(chunk);
                position = 0;
                if (limit < 0) {
                    limit = 0;
                    return true;
                }
            }
            int newline = indexOfNewline();
            int end = newline < 0 ? limit : newline;
            if (line.size() + (end - position) > maxLineBytes) {
                throw new LineTooLongException(maxLineBytes);
            }
            line.write(chunk, position, end - position);
            position = newline < 0 ? limit : newline + 1;
            if (newline >= 0) {
                return false;
            }
        }
    }

    private int indexOfNewline() {
        for (int i = position; i < limit; i++) {
            if (chunk[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static byte[] withoutCarriageReturn(byte[] line) {
        if (line.length == 0 || line[line.length - 1] != '\r') {
            return line;
        }
        return Arrays.copyOf(line, line.length - 1);
    }

    private static boolean isBlank(byte[] line) {
        for (byte b : line) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }
}
