package dev.satchel.server.objectstore;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** The name of an object: segments joined by slashes, full Unicode, the same in every store. */
public record ObjectKey(String value) {
    /** The limit of S3, which applies to every store. */
    public static final int MAX_BYTES = 1024;

    public ObjectKey {
        check(value, "key", value);
    }

    public static ObjectKey of(String... segments) {
        for (String segment : segments) {
            if (segment.indexOf('/') >= 0) {
                throw refused("key", segment, "has a slash in a segment");
            }
        }
        return new ObjectKey(String.join("/", segments));
    }

    public List<String> segments() {
        return List.of(value.split("/", -1));
    }

    /** The segments of a prefix, which ends in a slash. */
    static List<String> prefixSegments(String prefix) {
        if (!prefix.endsWith("/")) {
            throw refused("prefix", prefix, "does not end in a slash");
        }
        String directory = prefix.substring(0, prefix.length() - 1);
        check(directory, "prefix", prefix);
        return List.of(directory.split("/", -1));
    }

    @Override
    public String toString() {
        return value;
    }

    private static void check(String value, String what, String shown) {
        for (int start = 0, end; start <= value.length(); start = end + 1) {
            int slash = value.indexOf('/', start);
            end = slash < 0 ? value.length() : slash;
            if (end - start <= 2 && isDots(value, start, end)) {
                throw refused(what, shown, "has an empty, . or .. segment");
            }
        }
        if (!value.codePoints().allMatch(ObjectKey::isAllowed)) {
            throw refused(what, shown, "has a control character or half a character");
        }
        if (value.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            throw refused(what, shown, "is longer than " + MAX_BYTES + " bytes");
        }
    }

    private static boolean isDots(String value, int start, int end) {
        for (int i = start; i < end; i++) {
            if (value.charAt(i) != '.') {
                return false;
            }
        }
        return true;
    }

    /** S3 transfers names as XML, so characters that XML does not allow are refused too. */
    private static boolean isAllowed(int character) {
        boolean halfOfPair = character >= 0xD800 && character <= 0xDFFF;
        boolean notInXml = character == 0xFFFE || character == 0xFFFF;
        return !Character.isISOControl(character) && !halfOfPair && !notInXml;
    }

    private static IllegalArgumentException refused(String what, String value, String problem) {
        String shown = value.length() > 80 ? value.substring(0, 80) + "…" : value;
        return new IllegalArgumentException(what + " " + problem + ": " + shown);
    }
}
