package dev.satchel.server.archive;

import dev.satchel.filesystem.linux.NameBytes;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;

/** The block with which an entry of a tar archive begins. */
record TarHeader(byte type, String name, String target, int mode, long size, Instant modified) {
    static final int BYTES = 512;

    static TarHeader of(byte[] block) throws IOException {
        if (block.length < BYTES || checksum(block) != octal(block, 148, 8)) {
            throw new IOException("not a tar archive");
        }
        String prefix = text(block, 345, 155);
        boolean posix =
                text(block, 257, 6).equals("ustar"); // GNU tar uses this field for other data
        String name = text(block, 0, 100);
        return new TarHeader(
                block[156],
                posix && !prefix.isEmpty() ? prefix + "/" + name : name,
                text(block, 157, 100),
                (int) octal(block, 100, 8) & 0777,
                size(octal(block, 124, 12)),
                time(octal(block, 136, 12)));
    }

    private static long size(long size) throws IOException {
        if (size < 0) {
            throw new IOException("negative size in tar entry");
        }
        return size;
    }

    private static Instant time(long seconds) throws IOException {
        try {
            return Instant.ofEpochSecond(seconds);
        } catch (DateTimeException e) {
            throw new IOException("invalid modification time in tar entry", e);
        }
    }

    /** A block of zeros ends an archive. */
    static boolean isEnd(byte[] block) {
        for (byte b : block) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private static long checksum(byte[] block) {
        long sum = 0;
        for (int i = 0; i < BYTES; i++) {
            sum += i >= 148 && i < 156 ? ' ' : block[i] & 0xff;
        }
        return sum;
    }

    private static String text(byte[] block, int offset, int length) {
        int end = offset;
        while (end < offset + length && block[end] != 0) {
            end++;
        }
        return NameBytes.text(block, offset, end);
    }

    private static long octal(byte[] block, int offset, int length) throws IOException {
        if (block[offset] < 0) { // binary: GNU tar writes large numbers so
            long value = block[offset] & 0x7f;
            for (int i = offset + 1; i < offset + length; i++) {
                value = (value << 8) | (block[i] & 0xff);
            }
            return value;
        }
        String digits = text(block, offset, length).strip();
        try {
            return digits.isEmpty() ? 0 : Long.parseLong(digits, 8);
        } catch (NumberFormatException e) {
            throw new IOException("not a tar archive", e);
        }
    }
}
