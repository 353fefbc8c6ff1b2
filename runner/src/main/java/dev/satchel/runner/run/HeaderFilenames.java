package dev.satchel.runner.run;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** File names in headers: parses those of responses, and checks those of uploads. */
final class HeaderFilenames {
    private static final Pattern EXTENDED =
            Pattern.compile("filename\\*\\s*=\\s*UTF-8''([^;\\s]+)", Pattern.CASE_INSENSITIVE);
    private static final Pattern QUOTED =
            Pattern.compile(
                    "filename\\s*=\\s*\"((?:[^\"\\\\]|\\\\.)*)\"", Pattern.CASE_INSENSITIVE);
    private static final Pattern BARE =
            Pattern.compile("filename\\s*=\\s*([^;\"\\s]+)", Pattern.CASE_INSENSITIVE);

    /** The server removes them, since they reverse the text on the screen. */
    private static final Pattern DIRECTION_OVERRIDES =
            Pattern.compile("[\\u202a-\\u202e\\u2066-\\u2069]");

    /** A file system allows 255 bytes, including the id before the name. */
    private static final int MAX_LENGTH = 100;

    private HeaderFilenames() {}

    static Optional<String> fromDisposition(String header) {
        Matcher extended = EXTENDED.matcher(header);
        if (extended.find()) {
            return leaf(decode(extended.group(1)));
        }
        Matcher quoted = QUOTED.matcher(header);
        if (quoted.find()) {
            return leaf(quoted.group(1).replaceAll("\\\\(.)", "$1"));
        }
        Matcher bare = BARE.matcher(header);
        return bare.find() ? leaf(bare.group(1)) : Optional.empty();
    }

    /** Whether the server accepts every name of a path. */
    static boolean isAcceptedPath(String path) {
        return Arrays.stream(path.split("/", -1)).allMatch(HeaderFilenames::isAccepted);
    }

    /** Not empty, without control characters, and without what others take for a slash. */
    private static boolean isAccepted(String name) {
        boolean printable =
                name.codePoints()
                        .noneMatch(
                                c ->
                                        Character.isISOControl(c)
                                                || Character.getType(c) == Character.SURROGATE
                                                || c == 0xFFFE
                                                || c == 0xFFFF);
        String visible = DIRECTION_OVERRIDES.matcher(name).replaceAll("");
        return printable && !visible.isBlank() && visible.indexOf('\\') < 0;
    }

    private static Optional<String> leaf(String name) {
        String leaf = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
        String clean = leaf.replaceAll("\\p{Cntrl}", "_").strip();
        if (clean.isEmpty() || clean.equals(".") || clean.equals("..")) {
            return Optional.empty();
        }
        int cut = Math.max(0, clean.length() - MAX_LENGTH); // the end contains the extension
        return Optional.of(clean.substring(cut));
    }

    private static String decode(String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return value;
        }
    }
}
