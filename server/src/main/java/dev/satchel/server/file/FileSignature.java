package dev.satchel.server.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Optional;

/** Bytes at a fixed offset that identify a format; a question mark is any byte. */
record FileSignature(int offset, String bytes, String type) {
    /** The container of the older office formats. */
    static final String OLE = "application/x-ole-storage";

    /** More specific ones first. */
    private static final List<FileSignature> ALL =
            List.of(
                    new FileSignature(0, "\u0089PNG\r\n\u001a\n", "image/png"),
                    new FileSignature(0, "\u00ff\u00d8\u00ff", "image/jpeg"),
                    new FileSignature(0, "GIF87a", "image/gif"),
                    new FileSignature(0, "GIF89a", "image/gif"),
                    new FileSignature(0, "RIFF????WEBP", "image/webp"),
                    new FileSignature(0, "RIFF????WAVE", "audio/wav"),
                    new FileSignature(0, "RIFF????AVI ", "video/x-msvideo"),
                    new FileSignature(0, "II*\0", "image/tiff"),
                    new FileSignature(0, "MM\0*", "image/tiff"),
                    new FileSignature(0, "\0\0\u0001\0", "image/x-icon"),
                    new FileSignature(0, "BM????\0\0\0\0", "image/bmp"),
                    new FileSignature(4, "ftypavif", "image/avif"),
                    new FileSignature(4, "ftyphei", "image/heic"),
                    new FileSignature(4, "ftypmif1", "image/heif"),
                    new FileSignature(4, "ftypqt  ", "video/quicktime"),
                    new FileSignature(4, "ftypM4A ", "audio/mp4"),
                    new FileSignature(4, "ftyp", "video/mp4"),
                    new FileSignature(0, "%PDF-", "application/pdf"),
                    new FileSignature(0, "PK\u0003\u0004", "application/zip"),
                    new FileSignature(0, "PK\u0005\u0006", "application/zip"),
                    new FileSignature(0, "\u001f\u008b\b", "application/gzip"),
                    new FileSignature(0, "(\u00b5/\u00fd", "application/zstd"),
                    new FileSignature(0, "BZh", "application/x-bzip2"),
                    new FileSignature(0, "\u00fd7zXZ\0", "application/x-xz"),
                    new FileSignature(0, "7z\u00bc\u00af'\u001c", "application/x-7z-compressed"),
                    new FileSignature(0, "Rar!\u001a\u0007", "application/vnd.rar"),
                    new FileSignature(257, "ustar", "application/x-tar"),
                    new FileSignature(0, "\0asm", "application/wasm"),
                    new FileSignature(0, "\u001aE\u00df\u00a3", "video/webm"),
                    new FileSignature(0, "OggS", "audio/ogg"),
                    new FileSignature(0, "fLaC", "audio/flac"),
                    new FileSignature(0, "ID3", "audio/mpeg"),
                    new FileSignature(0, "\u00ff\u00fb", "audio/mpeg"),
                    new FileSignature(0, "\u00ff\u00f3", "audio/mpeg"),
                    new FileSignature(0, "\u00ff\u00f2", "audio/mpeg"),
                    new FileSignature(0, "wOFF", "font/woff"),
                    new FileSignature(0, "wOF2", "font/woff2"),
                    new FileSignature(0, "OTTO", "font/otf"),
                    new FileSignature(0, "\0\u0001\0\0\0", "font/ttf"),
                    new FileSignature(0, "SQLite format 3\0", "application/vnd.sqlite3"),
                    new FileSignature(0, "PAR1", "application/vnd.apache.parquet"),
                    new FileSignature(0, "\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1", OLE),
                    new FileSignature(0, "\u007fELF", "application/x-elf"));

    static Optional<String> findType(byte[] head) {
        String text = new String(head, ISO_8859_1);
        return ALL.stream()
                .filter(signature -> signature.isIn(text))
                .map(FileSignature::type)
                .findFirst();
    }

    private boolean isIn(String text) {
        if (text.length() < offset + bytes.length()) {
            return false;
        }
        for (int i = 0; i < bytes.length(); i++) {
            if (bytes.charAt(i) != '?' && bytes.charAt(i) != text.charAt(offset + i)) {
                return false;
            }
        }
        return true;
    }
}
