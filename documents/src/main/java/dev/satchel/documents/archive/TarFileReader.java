package dev.satchel.documents.archive;

import dev.satchel.documents.DocumentException;
import dev.satchel.documents.DocumentFormat;
import dev.satchel.documents.DocumentLine.Failure;
import dev.satchel.documents.reading.DocumentReader;
import dev.satchel.documents.reading.ExtractRequest;
import dev.satchel.documents.reading.PartWriter;
import dev.satchel.documents.xml.InflationLimit;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The listing of a tar archive, also of one that is compressed with gzip. Contents are skipped. */
public final class TarFileReader implements DocumentReader {
    private static final int BLOCK = 512;
    private static final int MAX_NAME = 64 * 1024;
    private static final int BUFFER = 64 * 1024;
    private static final long LAST_SECOND = 253_402_300_799L;

    @Override
    public void read(Path file, ExtractRequest request, PartWriter out) throws IOException {
        try (InputStream in = open(file, request)) {
            out.header(DocumentFormat.TAR, 1, null);
            Listing listing = new Listing(out, request);
            listing.begin();
            try {
                entries(in, listing, out);
            } catch (EOFException e) {
                throw new DocumentException(
                        Failure.Code.BROKEN, "The archive is incomplete: it ends too early.");
            }
            listing.end();
        }
    }

    private static InputStream open(Path file, ExtractRequest request) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER);
        in.mark(2);
        boolean isCompressed = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return isCompressed
                ? new InflationLimit(Files.size(file), request.limits().unpacking())
                        .count(new GZIPInputStream(in, BUFFER))
                : in;
    }

    private static void entries(InputStream in, Listing listing, PartWriter out)
            throws IOException {
        byte[] header = new byte[BLOCK];
        String longName = null;
        while (in.readNBytes(header, 0, BLOCK) == BLOCK && header[0] != 0) {
            out.checkTime();
            checkSum(header);
            long size = number(header, 124, 12);
            char type = (char) header[156];
            if (type == 'L') {
                longName = text(content(in, size));
            } else if (type == 'x') {
                longName = path(content(in, size), longName);
            } else {
                if (type != 'g') {
                    boolean isFile = type == '0' || type == 0 || type == '7';
                    String name = longName == null ? name(header) : longName;
                    listing.entry(name, isFile ? size : 0, time(header));
                    longName = null;
                }
                in.skipNBytes(padded(type == '1' || type == '2' || type == '5' ? 0 : size));
            }
        }
    }

    private static void checkSum(byte[] header) throws DocumentException {
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += i >= 148 && i < 156 ? ' ' : header[i] & 0xff;
        }
        if (sum != number(header, 148, 8)) {
            throw new DocumentException(
                    Failure.Code.BROKEN, "The archive is damaged: a header has a wrong checksum.");
        }
    }

    private static byte[] content(InputStream in, long size) throws IOException {
        if (size > MAX_NAME) {
            throw new DocumentException(
                    Failure.Code.BOMB,
                    "The archive has a name of " + size + " bytes, the limit is " + MAX_NAME + ".");
        }
        byte[] content = in.readNBytes((int) size);
        in.skipNBytes(padded(size) - size);
        return content;
    }

    private static long padded(long size) {
        return (size + BLOCK - 1) / BLOCK * BLOCK;
    }

    /** The path in a pax header: lines such as {@code 18 path=some/name}. */
    private static @Nullable String path(byte[] records, @Nullable String otherwise) {
        String text = new String(records, StandardCharsets.UTF_8);
        for (String line : text.split("\n", -1)) {
            int space = line.indexOf(' ');
            if (space > 0 && line.startsWith("path=", space + 1)) {
                return line.substring(space + 6);
            }
        }
        return otherwise;
    }

    private static String name(byte[] header) {
        String name = text(header, 0, 100);
        boolean hasPrefix = text(header, 257, 5).equals("ustar") && header[262] == 0;
        String prefix = hasPrefix ? text(header, 345, 155) : "";
        return prefix.isEmpty() ? name : prefix + "/" + name;
    }

    private static @Nullable Instant time(byte[] header) throws DocumentException {
        long seconds = number(header, 136, 12);
        return seconds > LAST_SECOND ? null : Instant.ofEpochSecond(seconds);
    }

    /** A number in octal digits, or in binary if the first bit is set. */
    private static long number(byte[] header, int offset, int length) throws DocumentException {
        long value = 0;
        boolean isBinary = (header[offset] & 0x80) != 0;
        for (int i = offset; i < offset + length; i++) {
            int b = header[i] & 0xff;
            if (isBinary) {
                value = (value << 8) | (i == offset ? b & 0x7f : b);
            } else if (b >= '0' && b <= '7') {
                value = (value << 3) | (b - '0');
            }
        }
        if (value < 0 || value > Long.MAX_VALUE - 2 * BLOCK) {
            throw new DocumentException(
                    Failure.Code.BROKEN, "The archive is damaged: an entry has a wrong size.");
        }
        return value;
    }

    private static String text(byte[] bytes) {
        return text(bytes, 0, bytes.length);
    }

    private static String text(byte[] bytes, int offset, int length) {
        int end = offset;
        while (end < offset + length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, offset, end - offset, StandardCharsets.UTF_8);
    }
}
