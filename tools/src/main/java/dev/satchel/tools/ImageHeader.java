package dev.satchel.tools;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The type and size of an image as its first bytes say. Nothing is decoded, so this is safe for
 * images of strangers.
 */
public record ImageHeader(String mimeType, int width, int height) {
    /** A JPEG may have a profile and a preview before its size. */
    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private static final int MAGIC_BYTES = 12;

    /** The number of pixels. */
    public long pixels() {
        return (long) width * height;
    }

    /** The longer side. */
    public int side() {
        return Math.max(width, height);
    }

    /** Such as "6000 × 4000 pixels". */
    public String size() {
        return width + " × " + height + " pixels";
    }

    /** Reads a PNG, JPEG, GIF or WebP; empty when it is none, or its header is damaged. */
    public static Optional<ImageHeader> read(InputStream bytes) throws IOException {
        byte[] magic = bytes.readNBytes(MAGIC_BYTES);
        Reader reader = new Reader(new DataInputStream(bytes));
        String start = new String(magic, StandardCharsets.ISO_8859_1);
        try {
            if (start.startsWith("\u0089PNG\r\n\u001a\n")) {
                return reader.png();
            }
            if (start.startsWith("\u00ff\u00d8\u00ff")) {
                return Reader.of(magic, 2, bytes).jpeg();
            }
            if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) {
                return Reader.of(magic, 6, bytes).gif();
            }
            boolean isWebp = start.startsWith("RIFF") && start.endsWith("WEBP");
            return isWebp ? reader.webp() : Optional.empty();
        } catch (EOFException _) {
            return Optional.empty();
        }
    }

    private static Optional<ImageHeader> of(String mimeType, int width, int height) {
        return width > 0 && height > 0
                ? Optional.of(new ImageHeader(mimeType, width, height))
                : Optional.empty();
    }

    /** Reads after the magic bytes; an end that comes too early is an EOFException. */
    private record Reader(DataInputStream in) {
        /** Reads the magic bytes from an offset on once more. */
        static Reader of(byte[] magic, int from, InputStream rest) {
            InputStream again = new ByteArrayInputStream(magic, from, magic.length - from);
            return new Reader(new DataInputStream(new SequenceInputStream(again, rest)));
        }

        Optional<ImageHeader> png() throws IOException {
            if (!name().equals("IHDR")) {
                return Optional.empty();
            }
            int width = in.readInt();
            return ImageHeader.of("image/png", width, in.readInt());
        }

        Optional<ImageHeader> gif() throws IOException {
            int width = littleEndian(2);
            return ImageHeader.of("image/gif", width, littleEndian(2));
        }

        /** The size stands in the start of the frame, after segments of any length. */
        Optional<ImageHeader> jpeg() throws IOException {
            for (long read = 0; read < MAX_BYTES; ) {
                if (in.readUnsignedByte() != 0xff) {
                    return Optional.empty();
                }
                int marker = in.readUnsignedByte();
                while (marker == 0xff && read++ < MAX_BYTES) {
                    marker = in.readUnsignedByte();
                }
                boolean hasNoLength = marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
                read += 2;
                if (hasNoLength) {
                    continue;
                }
                int length = in.readUnsignedShort();
                if (length < 2 || marker == 0 || marker == 0xd9 || marker == 0xda) {
                    return Optional.empty();
                }
                if (isFrame(marker)) {
                    in.skipNBytes(1);
                    int height = in.readUnsignedShort();
                    return ImageHeader.of("image/jpeg", in.readUnsignedShort(), height);
                }
                in.skipNBytes(length - 2L);
                read += length;
            }
            return Optional.empty();
        }

        private static boolean isFrame(int marker) {
            return marker >= 0xc0
                    && marker <= 0xcf
                    && marker != 0xc4
                    && marker != 0xc8
                    && marker != 0xcc;
        }

        Optional<ImageHeader> webp() throws IOException {
            String chunk = name();
            int length = littleEndian(4);
            if (length < 0) {
                return Optional.empty();
            }
            return switch (chunk) {
                case "VP8X" -> {
                    in.skipNBytes(4);
                    int width = littleEndian(3) + 1;
                    yield ImageHeader.of("image/webp", width, littleEndian(3) + 1);
                }
                case "VP8L" -> {
                    boolean isSigned = in.readUnsignedByte() == 0x2f;
                    int bits = littleEndian(4);
                    int width = (bits & 0x3fff) + 1;
                    int height = (bits >>> 14 & 0x3fff) + 1;
                    yield isSigned ? ImageHeader.of("image/webp", width, height) : Optional.empty();
                }
                case "VP8 " -> {
                    in.skipNBytes(3);
                    boolean isKeyFrame = littleEndian(3) == 0x2a019d;
                    int width = littleEndian(2) & 0x3fff;
                    int height = littleEndian(2) & 0x3fff;
                    yield isKeyFrame
                            ? ImageHeader.of("image/webp", width, height)
                            : Optional.empty();
                }
                default -> Optional.empty();
            };
        }

        private String name() throws IOException {
            byte[] name = new byte[4];
            in.readFully(name);
            return new String(name, StandardCharsets.ISO_8859_1);
        }

        private int littleEndian(int bytes) throws IOException {
            int value = 0;
            for (int i = 0; i < bytes; i++) {
                value |= in.readUnsignedByte() << (8 * i);
            }
            return value;
        }
    }
}
