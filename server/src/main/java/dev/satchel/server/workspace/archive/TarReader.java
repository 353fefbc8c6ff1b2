package dev.satchel.server.workspace.archive;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.satchel.filesystem.NameBytes;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a tar archive one member after the other: ustar, pax, and the long names of GNU tar. */
final class TarReader {
    private static final int MAX_RECORDS = 1024 * 1024;

    private final InputStream in;
    private final Map<String, String> said = new HashMap<>(); // of the member to come
    private long rest;
    private int padding;

    TarReader(InputStream in) {
        this.in = in;
    }

    /** What the member is. */
    enum Kind {
        FILE,
        DIRECTORY,
        LINK,
        /** Another name of a member before. */
        HARD_LINK,
        OTHER
    }

    record Member(Kind kind, String name, String target, int mode, long size, Instant modified) {}

    /** The next member, or null at the end; what was not read of the one before is passed over. */
    @Nullable Member next() throws IOException {
        while (true) {
            in.skipNBytes(rest);
            in.skipNBytes(padding); // apart: together they may be more than a number holds
            rest = 0;
            padding = 0;
            byte[] block = in.readNBytes(TarHeader.BYTES);
            if (block.length == 0 || TarHeader.isEnd(block)) {
                return null;
            }
            TarHeader header = TarHeader.of(block);
            content(header.size());
            switch (header.type()) {
                case 'x' -> records();
                case 'L' -> said.put("path", longName());
                case 'K' -> said.put("linkpath", longName());
                case 'g' -> {} // says the same of every member, and nothing that we need
                default -> {
                    return member(header);
                }
            }
        }
    }

    /** The bytes of the member that was returned last. */
    InputStream content() {
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
                    throw new IOException("the archive ends inside a member");
                }
                rest -= count;
                return count;
            }
        };
    }

    private Member member(TarHeader header) throws IOException {
        String size = said.get("size");
        if (size != null) {
            content(number(size));
        }
        Member member =
                new Member(
                        kind(header.type()),
                        said.getOrDefault("path", header.name()),
                        said.getOrDefault("linkpath", header.target()),
                        header.mode(),
                        rest,
                        header.modified());
        said.clear();
        return member;
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

    private void records() throws IOException {
        byte[] bytes = small();
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
            if (end > bytes.length || equals >= end - 1) { // a line end is its last
                throw new IOException("not a tar archive");
            }
            String key = new String(bytes, space + 1, equals - space - 1, US_ASCII);
            said.put(key, NameBytes.text(bytes, equals + 1, end - 1));
            at = end;
        }
    }

    private String longName() throws IOException {
        byte[] bytes = small();
        int end = 0;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return NameBytes.text(bytes, 0, end);
    }

    private byte[] small() throws IOException {
        if (rest > MAX_RECORDS) {
            throw new IOException("a tar member's name is too long");
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
            // said below
        }
        throw new IOException("not a tar archive");
    }
}
