package dev.satchel.server.workspace.archive;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.NameBytes;
import dev.satchel.filesystem.WorkspacePath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/** Writes a tar archive (POSIX pax), one member after the other. */
final class TarWriter {
    private static final int BLOCK = 512;
    private static final int NAME_BYTES = 100;

    /** Beyond this a size does not fit the octal field. */
    private static final long MAX_OCTAL_SIZE = 077777777777L;

    private final OutputStream out;

    TarWriter(OutputStream out) {
        this.out = out;
    }

    void directory(WorkspacePath path, FileStat stat) throws IOException {
        member(new Member(path.value() + "/", '5', stat, 0, ""));
    }

    void link(WorkspacePath path, FileStat stat, String target) throws IOException {
        member(new Member(path.value(), '2', stat, 0, target));
    }

    /** A file that has shrunk since is filled up with zeros: its size is already said. */
    void file(WorkspacePath path, FileStat stat, InputStream content) throws IOException {
        member(new Member(path.value(), '0', stat, stat.size(), ""));
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

    /** Two empty blocks end an archive; the stream beneath stays open. */
    void finish() throws IOException {
        out.write(new byte[2 * BLOCK]);
    }

    private record Member(String name, char type, FileStat stat, long size, String target) {}

    private void member(Member member) throws IOException {
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        if (needsRecord(member.name())) {
            record(records, "path", member.name());
        }
        if (needsRecord(member.target())) {
            record(records, "linkpath", member.target());
        }
        if (member.size() > MAX_OCTAL_SIZE) {
            record(records, "size", Long.toString(member.size()));
        }
        if (records.size() > 0) {
            out.write(header(new Member("pax", 'x', member.stat(), records.size(), "")));
            records.writeTo(out);
            pad(records.size());
        }
        out.write(header(member));
    }

    private static boolean needsRecord(String text) {
        return NameBytes.of(text).length > NAME_BYTES || !isAscii(text);
    }

    /** A record begins with its own length, which counts itself; names are their bytes. */
    private static void record(ByteArrayOutputStream records, String key, String value) {
        byte[] bytes = NameBytes.of(value);
        int rest = key.length() + bytes.length + 3; // a space, an equals sign and a line end
        int length = rest + Integer.toString(rest).length();
        if (Integer.toString(length).length() > Integer.toString(rest).length()) {
            length++;
        }
        records.writeBytes((length + " " + key + "=").getBytes(US_ASCII));
        records.writeBytes(bytes);
        records.write('\n');
    }

    private static byte[] header(Member member) {
        byte[] block = new byte[BLOCK];
        text(block, 0, NAME_BYTES, member.name());
        octal(block, 100, 8, member.stat().mode());
        octal(block, 108, 8, 0);
        octal(block, 116, 8, 0);
        octal(block, 124, 12, Math.min(member.size(), MAX_OCTAL_SIZE));
        octal(block, 136, 12, Math.max(0, member.stat().modified().getEpochSecond()));
        Arrays.fill(block, 148, 156, (byte) ' ');
        block[156] = (byte) member.type();
        text(block, 157, NAME_BYTES, member.target());
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
