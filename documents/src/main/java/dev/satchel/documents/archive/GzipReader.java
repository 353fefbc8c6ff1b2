package dev.satchel.documents.archive;

import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The one file in a gzip file, by its header; nothing is unpacked. */
public final class GzipReader implements DocumentReader {
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int LONGEST_NAME = 4096;

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        out.header(DocumentFormat.GZIP, 1, null);
        Listing listing = new Listing(out, request);
        listing.begin();
        try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
            in.skipNBytes(3);
            int flags = in.readUnsignedByte();
            long seconds = Integer.toUnsignedLong(Integer.reverseBytes(in.readInt()));
            in.skipNBytes(2);
            if ((flags & HAS_EXTRA) != 0) {
                in.skipNBytes(in.readUnsignedByte() | (in.readUnsignedByte() << 8));
            }
            String name = (flags & HAS_NAME) == 0 ? "(no name)" : name(in);
            listing.entry(name, size(file), time(seconds));
        }
        listing.end();
    }

    private static @Nullable Instant time(long seconds) {
        return seconds == 0 ? null : Instant.ofEpochSecond(seconds);
    }

    private static String name(InputStream in) throws IOException {
        StringBuilder name = new StringBuilder();
        int b = in.read();
        while (b > 0 && name.length() < LONGEST_NAME) {
            name.append((char) b);
            b = in.read();
        }
        return new String(
                name.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    /** The last four bytes have the size, modulo 4 GiB. */
    private static long size(Path file) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
            bytes.seek(Math.max(0, bytes.length() - 4));
            return Integer.toUnsignedLong(Integer.reverseBytes(bytes.readInt()));
        }
    }
}
