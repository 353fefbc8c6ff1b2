package dev.satchel.tools;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The type of a file by its first bytes; the name is not used. */
public record FileType(Kind kind, String mimeType, @Nullable Charset wide, int bomLength) {
    /** How many bytes of a file are examined. */
    static final int HEAD = 8 * 1024;

    public enum Kind {
        TEXT,
        IMAGE,
        BINARY
    }

    private static final String TEXT_CONTROLS = "\t\n\f\r\u001b";

    /** In a magic: any byte. */
    private static final char ANY = '\uffff';

    private record Magic(int offset, String bytes, Kind kind, String mimeType) {
        boolean matches(byte[] head) {
            if (head.length < offset + bytes.length()) {
                return false;
            }
            for (int i = 0; i < bytes.length(); i++) {
                char wanted = bytes.charAt(i);
                if (wanted != ANY && (head[offset + i] & 0xff) != wanted) {
                    return false;
                }
            }
            return true;
        }
    }

    private static final Magic[] KNOWN = {
        new Magic(0, "\u0089PNG\r\n\u001a\n", Kind.IMAGE, "image/png"),
        new Magic(0, "\u00ff\u00d8\u00ff", Kind.IMAGE, "image/jpeg"),
        new Magic(0, "GIF87a", Kind.IMAGE, "image/gif"),
        new Magic(0, "GIF89a", Kind.IMAGE, "image/gif"),
        new Magic(8, "WEBP", Kind.IMAGE, "image/webp"),
        new Magic(0, "%PDF-", Kind.BINARY, "application/pdf"),
        new Magic(0, "PK\u0003\u0004", Kind.BINARY, "application/zip"),
        new Magic(0, "PK\u0005\u0006", Kind.BINARY, "application/zip"),
        new Magic(0, "\u001f\u008b", Kind.BINARY, "application/gzip"),
        new Magic(0, "BZh" + ANY + "1AY&SY", Kind.BINARY, "application/x-bzip2"),
        new Magic(0, "\u00fd7zXZ\0", Kind.BINARY, "application/x-xz"),
        new Magic(0, "(\u00b5/\u00fd", Kind.BINARY, "application/zstd"),
        new Magic(0, "7z\u00bc\u00af'\u001c", Kind.BINARY, "application/x-7z-compressed"),
        new Magic(0, "Rar!\u001a\u0007", Kind.BINARY, "application/vnd.rar"),
        new Magic(0, "\u00d0\u00cf\u0011\u00e0", Kind.BINARY, "application/x-ole-storage"),
        new Magic(0, "\u007fELF", Kind.BINARY, "application/x-elf"),
        new Magic(0, "SQLite format 3\0", Kind.BINARY, "application/vnd.sqlite3"),
    };

    static FileType of(byte[] head) {
        for (Magic magic : KNOWN) {
            if (magic.matches(head)
                    && (magic.offset() == 0 || startsWith(head, 'R', 'I', 'F', 'F'))) {
                return new FileType(magic.kind(), magic.mimeType(), null, 0);
            }
        }
        if (startsWith(head, 0xef, 0xbb, 0xbf)) {
            return text(null, 3);
        }
        if (startsWith(head, 0xff, 0xfe)) {
            return text(StandardCharsets.UTF_16LE, 2);
        }
        if (startsWith(head, 0xfe, 0xff)) {
            return text(StandardCharsets.UTF_16BE, 2);
        }
        return looksBinary(head)
                ? new FileType(Kind.BINARY, "application/octet-stream", null, 0)
                : text(null, 0);
    }

    private static FileType text(@Nullable Charset wide, int bomLength) {
        return new FileType(Kind.TEXT, "text/plain", wide, bomLength);
    }

    /** A null byte, or more than 30 percent control characters. */
    private static boolean looksBinary(byte[] head) {
        int controls = 0;
        for (byte b : head) {
            if (b == 0) {
                return true;
            }
            controls += b > 0 && b < ' ' && TEXT_CONTROLS.indexOf(b) < 0 ? 1 : 0;
        }
        return controls * 10L > head.length * 3L;
    }

    private static boolean startsWith(byte[] head, int... bytes) {
        if (head.length < bytes.length) {
            return false;
        }
        for (int i = 0; i < bytes.length; i++) {
            if ((head[i] & 0xff) != bytes[i]) {
                return false;
            }
        }
        return true;
    }
}
