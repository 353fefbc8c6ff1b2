package dev.satchel.server.archive;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.satchel.filesystem.linux.NameBytes;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the entries of a tar archive: ustar, pax, and the long names of GNU tar. */
public final class TarReader {
    private static final int MAX_HEADER_BYTES = 1024 * 1024;

    private final InputStream in;
    private final Map<String, String> extended = new HashMap<>(); // headers of the next entry
    private long rest;
    private int padding;

    public TarReader(InputStream in) {
        this.in = in;
    }

    /** What an entry is. */
    public enum Kind {
        FILE,
        DIRECTORY,
        LINK,
        /** Another name of an earlier entry. */
        HARD_LINK,
        OTHER
    }

    public record Entry(
            Kind kind, String name, String target, int mode, long size, Instant modified) {}

    /** The next entry, or null at the end; skips what was not read of the last one. */
    public @Nullable Entry next() throws IOException {
        while (true) {
            in.skipNBytes(rest);
            in.skipNBytes(padding); // separately: the sum may overflow
            rest = 0;
            padding = 0;
            byte[] block = in.readNBytes(TarHeader.BYTES);
            if (block.length == 0 || TarHeader.isEnd(block)) {
                return null;
            }
            TarHeader header = TarHeader.of(block);
            content(header.size());
            switch (header.type()) {
                case 'x' -> paxRecords();
                case 'L' -> extended.put("path", longName());
                case 'K' -> extended.put("linkpath", longName());
                case 'g' -> {} // global headers hold nothing that is needed here
                default -> {
                    return entry(header);
                }
            }
        }
    }

    /** The content of the entry that was returned last. */
    public InputStream content() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                if (rest == 0) {
                    return -1;
                }
                int count = in.read(target, offset, (int) Math.min(length, rest));
                if (count < 0) {
                    throw new IOException("the archive ends inside an entry");
                }
                rest -= count;
                return count;
            }
        };
    }

    private Entry entry(TarHeader header) throws IOException {
        if (header.type() == 'S' || extended.containsKey("GNU.sparse.major")) {
            throw new IOException("sparse tar entries are not supported");
        }
        String size = extended.get("size");
        if (size != null) {
            content(number(size));
        }
        String modified = extended.get("mtime");
        Entry entry =
                new Entry(
                        kind(header.type()),
                        extended.getOrDefault("path", header.name()),
                        extended.getOrDefault("linkpath", header.target()),
                        header.mode(),
                        rest,
                        modified == null ? header.modified() : time(modified));
        extended.clear();
        return entry;
    }

    /** Seconds, perhaps with a fraction. */
    private static Instant time(String seconds) throws IOException {
        try {
            BigDecimal exact = new BigDecimal(seconds);
            BigDecimal whole = exact.setScale(0, RoundingMode.FLOOR);
            long nanos = exact.subtract(whole).movePointRight(9).longValue();
            return Instant.ofEpochSecond(whole.longValueExact(), nanos);
        } catch (ArithmeticException | DateTimeException | NumberFormatException e) {
            throw new IOException("invalid modification time in tar entry", e);
        }
    }

    private static Kind kind(byte type) {
        return switch (type) {
            case '0', 0, '7' -> Kind.FILE;
            case '1' -> Kind.HARD_LINK;
            case '2' -> Kind.LINK;
            case '5' -> Kind.DIRECTORY;
            default -> Kind.OTHER;
        };
    }

    private void content(long size) {
        rest = size;
        padding = (int) (-size & (TarHeader.BYTES - 1));
    }

    private void paxRecords() throws IOException {
        byte[] bytes = headerBytes();
        for (int at = 0; at < bytes.length; ) {
            int space = at;
            while (space < bytes.length && bytes[space] != ' ') {
                space++;
            }
            int end = at + (int) number(new String(bytes, at, space - at, US_ASCII));
            int equals = space;
            while (equals < bytes.length && bytes[equals] != '=') {
                equals++;
            }
            if (end > bytes.length || equals >= end - 1) { // a record ends with a line feed
                throw new IOException("not a tar archive");
            }
            String key = new String(bytes, space + 1, equals - space - 1, US_ASCII);
            extended.put(key, NameBytes.text(bytes, equals + 1, end - 1));
            at = end;
        }
    }

    private String longName() throws IOException {
        byte[] bytes = headerBytes();
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return NameBytes.text(bytes, 0, end);
    }

    private byte[] headerBytes() throws IOException {
        if (rest > MAX_HEADER_BYTES) {
            throw new IOException("an extended header of a tar entry is too long");
        }
        byte[] bytes = in.readNBytes((int) rest);
        rest -= bytes.length;
        return bytes;
    }

    private static long number(String digits) throws IOException {
        try {
            long number = Long.parseLong(digits.strip());
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // thrown below
        }
        throw new IOException("not a tar archive");
    }
}
