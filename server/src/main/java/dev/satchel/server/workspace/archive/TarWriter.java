package dev.satchel.server.workspace.archive;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.linux.NameBytes;
import dev.satchel.server.file.ArchiveEntryNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/** Writes the entries of a tar archive in the POSIX pax format. */
final class TarWriter {
    private static final int BLOCK = 512;
    private static final int NAME_BYTES = 100;

    /** The largest size that fits the octal field. */
    private static final long MAX_OCTAL_SIZE = 077777777777L;

    private final OutputStream out;

    TarWriter(OutputStream out) {
        this.out = out;
    }

    void directory(WorkspacePath path, FileStat stat) throws IOException {
        entry(new Entry(name(path) + "/", '5', stat, 0, ""));
    }

    void link(WorkspacePath path, FileStat stat, String target) throws IOException {
        entry(new Entry(name(path), '2', stat, 0, ArchiveEntryNames.portable(target)));
    }

    /** The size is written first, so the content of a file that has shrunk is padded with zeros. */
    void file(WorkspacePath path, FileStat stat, InputStream content) throws IOException {
        entry(new Entry(name(path), '0', stat, stat.size(), ""));
        byte[] buffer = new byte[64 * 1024];
        for (long rest = stat.size(); rest > 0; ) {
            int count = content.read(buffer, 0, (int) Math.min(buffer.length, rest));
            if (count < 0) {
                Arrays.fill(buffer, (byte) 0);
                count = (int) Math.min(buffer.length, rest);
            }
            out.write(buffer, 0, count);
            rest -= count;
        }
        pad(stat.size());
    }

    /** Writes the two empty blocks that end an archive; leaves the stream open. */
    void finish() throws IOException {
        out.write(new byte[2 * BLOCK]);
    }

    private static String name(WorkspacePath path) {
        return ArchiveEntryNames.portable(path.value());
    }

    private record Entry(String name, char type, FileStat stat, long size, String target) {}

    private void entry(Entry entry) throws IOException {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        if (needsRecord(entry.name())) {
            record(records, "path", entry.name());
        }
        if (needsRecord(entry.target())) {
            record(records, "linkpath", entry.target());
        }
        if (entry.size() > MAX_OCTAL_SIZE) {
            record(records, "size", Long.toString(entry.size()));
        }
        if (records.size() > 0) {
            out.write(header(new Entry("pax", 'x', entry.stat(), records.size(), "")));
            records.writeTo(out);
            pad(records.size());
        }
        out.write(header(entry));
    }

    private static boolean needsRecord(String text) {
        return NameBytes.of(text).length > NAME_BYTES || !isAscii(text);
    }

    /** A record begins with its length, which includes the digits of the length. */
    private static void record(ByteArrayOutputStream records, String key, String value) {
        byte[] bytes = NameBytes.of(value);
        int rest = key.length() + bytes.length + 3; // space, equals sign and line feed
        int length = rest + Integer.toString(rest).length();
        if (Integer.toString(length).length() > Integer.toString(rest).length()) {
            length++;
        }
        records.writeBytes((length + " " + key + "=").getBytes(US_ASCII));
        records.writeBytes(bytes);
        records.write('\n');
    }

    private static byte[] header(Entry entry) {
        byte[] block = new byte[BLOCK];
        text(block, 0, NAME_BYTES, entry.name());
        octal(block, 100, 8, entry.stat().mode());
        octal(block, 108, 8, 0);
        octal(block, 116, 8, 0);
        octal(block, 124, 12, Math.min(entry.size(), MAX_OCTAL_SIZE));
        octal(block, 136, 12, Math.max(0, entry.stat().modified().getEpochSecond()));
        Arrays.fill(block, 148, 156, (byte) ' ');
        block[156] = (byte) entry.type();
        text(block, 157, NAME_BYTES, entry.target());
        text(block, 257, 8, "ustar\00000");
        int sum = 0;
        for (byte b : block) {
            sum += b & 0xff;
        }
        octal(block, 148, 7, sum);
        return block;
    }

    private static void text(byte[] block, int offset, int length, String value) {
        byte[] bytes = NameBytes.of(value);
        System.arraycopy(bytes, 0, block, offset, Math.min(bytes.length, length));
    }

    private static void octal(byte[] block, int offset, int length, long value) {
        String digits = Long.toOctalString(value);
        text(block, offset, length, "0".repeat(length - 1 - digits.length()) + digits + "\0");
    }

    private void pad(long size) throws IOException {
        out.write(new byte[(int) (-size & (BLOCK - 1))]);
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 128);
    }
}
