package dev.satchel.server.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipException;

/**
 * The directory at the end of a zip. It has what a reader of the entries does not see: how many
 * there are, and which of them are symbolic links.
 */
public record ZipDirectory(int entries, List<String> links) {
    private static final int END_SIGNATURE = 0x06054b50;
    private static final int END_BYTES = 22;
    private static final int MAX_COMMENT = 65_535;
    private static final int ENTRY_SIGNATURE = 0x02014b50;
    private static final int ENTRY_BYTES = 46;
    private static final int FILE_TYPE = 0xf000;
    private static final int LINK = 0xa000;

    public ZipDirectory {
        links = List.copyOf(links);
    }

    /** Refuses a zip that has no end, and one of the 64-bit form. */
    public static ZipDirectory of(byte[] zip) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(zip).order(ByteOrder.LITTLE_ENDIAN);
        int end = end(bytes);
        int count = Short.toUnsignedInt(bytes.getShort(end + 10));
        long start = Integer.toUnsignedLong(bytes.getInt(end + 16));
        List<String> links = new ArrayList<>();
        long at = start;
        for (int i = 0; i < count; i++) {
            if (at + ENTRY_BYTES > end || bytes.getInt((int) at) != ENTRY_SIGNATURE) {
                throw new ZipException("the directory of the zip is damaged");
            }
            int entry = (int) at;
            int name = Short.toUnsignedInt(bytes.getShort(entry + 28));
            int extra = Short.toUnsignedInt(bytes.getShort(entry + 30));
            int comment = Short.toUnsignedInt(bytes.getShort(entry + 32));
            at += ENTRY_BYTES + name + extra + comment;
            if (at > end) {
                throw new ZipException("the directory of the zip is damaged");
            }
            if ((bytes.getInt(entry + 38) >>> 16 & FILE_TYPE) == LINK) {
                links.add(new String(zip, entry + ENTRY_BYTES, name, UTF_8));
            }
        }
        return new ZipDirectory(count, links);
    }

    private static int end(ByteBuffer bytes) throws IOException {
        int first = Math.max(0, bytes.limit() - END_BYTES - MAX_COMMENT);
        for (int at = bytes.limit() - END_BYTES; at >= first; at--) {
            if (bytes.getInt(at) == END_SIGNATURE) {
                return at;
            }
        }
        throw new EOFException("the zip has no end");
    }
}
