package dev.satchel.server.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/** The rules for names of files that come from outside. */
public final class FileNames {
    /** What a name may take on every file system. */
    public static final int MAX_BYTES = 255;

    /** Leaves room for what an object's key begins with. */
    private static final int MAX_FOLDER_BYTES = 400;

    /** A longer one is no extension but a part of the name that happens to follow a dot. */
    private static final int MAX_EXTENSION_BYTES = 32;

    /** They turn a name around on the screen, so that an exe looks like a pdf. */
    private static final Pattern DIRECTION_OVERRIDES =
            Pattern.compile("[\\u202a-\\u202e\\u2066-\\u2069]");

    private FileNames() {}

    /**
     * The safe leaf of a name that a client gave: without folders, in NFC, at most {@link
     * #MAX_BYTES} long with its extension kept. What leaves no name is refused.
     */
    public static String clean(String given) {
        if (!given.codePoints().allMatch(FileNames::isAllowed)) {
            throw refused("has a control character or half a character");
        }
        String leaf =
                given.substring(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
        String plain = DIRECTION_OVERRIDES.matcher(leaf).replaceAll("");
        String name = Normalizer.normalize(plain, Normalizer.Form.NFC);
        if (name.isBlank() || name.equals(".") || name.equals("..")) {
            throw refused("names no file");
        }
        return fitted(name, "");
    }

    /**
     * A folder that a client gave, each of its names cleaned and with a slash after it, or nothing
     * when it gave none. A folder that leads elsewhere is refused.
     */
    public static String folder(String given) {
        if (given.isEmpty()) {
            return "";
        }
        String bare = given.endsWith("/") ? given.substring(0, given.length() - 1) : given;
        StringBuilder folder = new StringBuilder();
        for (String segment : bare.split("/", -1)) {
            folder.append(clean(segment)).append('/');
        }
        if (bytes(folder.toString()) > MAX_FOLDER_BYTES) {
            throw refused("has a folder of more than " + MAX_FOLDER_BYTES + " bytes");
        }
        return folder.toString();
    }

    /** The name without its folders. */
    public static String leaf(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /** The name with a number before its extension: {@code report-1.pdf}. */
    public static String numbered(String name, int number) {
        String leaf = leaf(name);
        String folder = name.substring(0, name.length() - leaf.length());
        return folder + fitted(leaf, "-" + number);
    }

    /** Equal for names that a case-folding disk cannot tell apart: those collide. */
    public static String key(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    }

    /** The last extension without its dot, or nothing: for dotfiles and a dot at the end too. */
    public static String extension(String name) {
        String leaf = leaf(name);
        return leaf.substring(Math.min(extensionStart(leaf) + 1, leaf.length()));
    }

    private static String fitted(String name, String suffix) {
        int start = extensionStart(name);
        if (bytes(name.substring(start)) > MAX_EXTENSION_BYTES) {
            start = name.length();
        }
        String ending = suffix + name.substring(start);
        return shortened(name.substring(0, start), MAX_BYTES - bytes(ending)) + ending;
    }

    /** Where the dot of the extension stands, or the length when there is none. */
    private static int extensionStart(String name) {
        int dot = name.lastIndexOf('.');
        boolean onlyDotsBefore = name.chars().limit(Math.max(dot, 0)).allMatch(c -> c == '.');
        return onlyDotsBefore || dot == name.length() - 1 ? name.length() : dot;
    }

    private static String shortened(String stem, int maxBytes) {
        String shorter = stem;
        while (bytes(shorter) > maxBytes) {
            shorter = shorter.substring(0, shorter.offsetByCodePoints(shorter.length(), -1));
        }
        return shorter;
    }

    private static int bytes(String text) {
        return text.getBytes(UTF_8).length;
    }

    /** The same that object keys and zip entries can hold. */
    private static boolean isAllowed(int character) {
        boolean halfOfPair = character >= 0xD800 && character <= 0xDFFF;
        boolean noCharacter = character == 0xFFFE || character == 0xFFFF;
        return !Character.isISOControl(character) && !halfOfPair && !noCharacter;
    }

    private static SatchelException refused(String problem) {
        return new SatchelException(ErrorCode.INVALID_REQUEST, "the file name " + problem);
    }
}
