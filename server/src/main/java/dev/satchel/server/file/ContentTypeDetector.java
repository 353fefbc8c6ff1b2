package dev.satchel.server.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Detects the type of a file by its bytes and its name. It ignores what the client sends. */
public final class ContentTypeDetector {
    /** How many of the first bytes {@link #detect} uses. */
    public static final int HEAD_BYTES = 4096;

    public static final String BINARY = "application/octet-stream";
    private static final String TEXT = "text/plain";
    private static final String ZIP = "application/zip";

    /** The table that the Files API defines. */
    private static final Map<String, String> BY_EXTENSION =
            Map.ofEntries(
                    entry("html", "text/html"),
                    entry("htm", "text/html"),
                    entry("css", "text/css"),
                    entry("js", "application/javascript"),
                    entry("mjs", "application/javascript"),
                    entry("json", "application/json"),
                    entry("xml", "application/xml"),
                    entry("csv", "text/csv"),
                    entry("txt", TEXT),
                    entry("md", "text/markdown"),
                    entry("yaml", "text/yaml"),
                    entry("yml", "text/yaml"),
                    entry("toml", TEXT),
                    entry("ts", "text/typescript"),
                    entry("tsx", "text/typescript"),
                    entry("jsx", "text/javascript"),
                    entry("py", "text/x-python"),
                    entry("rb", "text/x-ruby"),
                    entry("rs", "text/x-rust"),
                    entry("go", "text/x-go"),
                    entry("java", "text/x-java"),
                    entry("c", "text/x-c"),
                    entry("h", "text/x-c"),
                    entry("cpp", "text/x-c++"),
                    entry("sh", "text/x-shellscript"),
                    entry("bash", "text/x-shellscript"),
                    entry("zsh", "text/x-shellscript"),
                    entry("sql", "text/x-sql"),
                    entry("svg", "image/svg+xml"),
                    entry("png", "image/png"),
                    entry("jpg", "image/jpeg"),
                    entry("jpeg", "image/jpeg"),
                    entry("gif", "image/gif"),
                    entry("webp", "image/webp"),
                    entry("ico", "image/x-icon"),
                    entry("pdf", "application/pdf"),
                    entry("zip", ZIP),
                    entry("gz", "application/gzip"),
                    entry("tar", "application/x-tar"),
                    entry("wasm", "application/wasm"),
                    entry("mp4", "video/mp4"),
                    entry("webm", "video/webm"),
                    entry("mp3", "audio/mpeg"),
                    entry("wav", "audio/wav"),
                    entry("woff", "font/woff"),
                    entry("woff2", "font/woff2"),
                    entry("ttf", "font/ttf"),
                    entry("otf", "font/otf"));

    /** Text formats whose type does not begin with {@code text/}. */
    private static final Set<String> TEXT_TYPES =
            Set.of(
                    "application/javascript",
                    "application/json",
                    "application/xml",
                    "image/svg+xml");

    private static final String OPEN_XML = "application/vnd.openxmlformats-officedocument.";

    /** Formats that are zip files. */
    private static final Map<String, String> ZIPPED =
            Map.ofEntries(
                    entry("docx", OPEN_XML + "wordprocessingml.document"),
                    entry("xlsx", OPEN_XML + "spreadsheetml.sheet"),
                    entry("pptx", OPEN_XML + "presentationml.presentation"),
                    entry("odt", "application/vnd.oasis.opendocument.text"),
                    entry("ods", "application/vnd.oasis.opendocument.spreadsheet"),
                    entry("odp", "application/vnd.oasis.opendocument.presentation"),
                    entry("epub", "application/epub+zip"),
                    entry("jar", "application/java-archive"));

    private static final Map<String, String> OLE =
            Map.of(
                    "doc", "application/msword",
                    "xls", "application/vnd.ms-excel",
                    "ppt", "application/vnd.ms-powerpoint",
                    "msg", "application/vnd.ms-outlook");

    private ContentTypeDetector() {}

    /** Whether a type that was detected is one of text. */
    public static boolean isText(String type) {
        return type.startsWith("text/") || TEXT_TYPES.contains(type);
    }

    /** By the last extension only, as the Files API defines. */
    public static String byExtension(String filename) {
        return BY_EXTENSION.getOrDefault(extension(filename), BINARY);
    }

    /**
     * By the first bytes. The name decides only between kinds of text and between formats with the
     * same container.
     */
    public static String detect(String filename, byte[] head) {
        return FileSignature.findType(head)
                .map(type -> contained(type, filename))
                .orElseGet(() -> unsigned(filename, head));
    }

    private static String contained(String type, String filename) {
        String extension = extension(filename);
        return switch (type) {
            case ZIP -> ZIPPED.getOrDefault(extension, type);
            case FileSignature.OLE -> OLE.getOrDefault(extension, type);
            default -> type;
        };
    }

    private static String unsigned(String filename, byte[] head) {
        if (!TextDetector.looksLikeText(head)) {
            return BINARY;
        }
        String named = byExtension(filename);
        if (isText(named)) {
            return named;
        }
        return head.length == 0 ? BINARY : TEXT;
    }

    private static String extension(String filename) {
        return FileNames.extension(filename).toLowerCase(Locale.ROOT);
    }

    /** Detects text: UTF-8 without control codes, or UTF-16 with a byte order mark. */
    static final class TextDetector {
        /** Tab, line feed, form feed, carriage return and, for coloured logs, escape. */
        private static final String TEXT_CONTROLS = "\t\n\f\r\u001b";

        private TextDetector() {}

        /** The first bytes of a file may end within a character. */
        static boolean looksLikeText(byte[] head) {
            if (hasUtf16Mark(head)) {
                return true;
            }
            CharsetDecoder decoder = UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT);
            CharBuffer text = CharBuffer.allocate(head.length);
            CoderResult result = decoder.decode(ByteBuffer.wrap(head), text, false);
            return !result.isError() && text.flip().chars().allMatch(TextDetector::isText);
        }

        private static boolean hasUtf16Mark(byte[] head) {
            return head.length >= 2
                    && ((head[0] == (byte) 0xfe && head[1] == (byte) 0xff)
                            || (head[0] == (byte) 0xff && head[1] == (byte) 0xfe));
        }

        private static boolean isText(int character) {
            return (character >= ' ' && character != 0x7f) || TEXT_CONTROLS.indexOf(character) >= 0;
        }
    }
}
