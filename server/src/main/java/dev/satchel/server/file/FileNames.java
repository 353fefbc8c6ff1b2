package dev.satchel.server.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/** The rules for file names that clients send. */
public final class FileNames {
    /** The longest name that every file system allows. */
    public static final int MAX_BYTES = 255;

    /** Leaves bytes for the prefix of an object key. */
    private static final int MAX_FOLDER_BYTES = 400;

    /** Leaves bytes for the folder of the workspace. */
    private static final int MAX_PATH_BYTES = 2_000;

    /** Longer text after a dot is not an extension. */
    private static final int MAX_EXTENSION_BYTES = 32;

    /** They reverse a name on the screen, so that an exe looks like a pdf. */
    private static final Pattern DIRECTION_OVERRIDES =
            Pattern.compile("[\\u202a-\\u202e\\u2066-\\u2069]");

    private FileNames() {}

    /**
     * The safe form of a name: without folders, in NFC, at most {@link #MAX_BYTES} long with its
     * extension. An empty result is refused.
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
     * The safe form of a folder: each name cleaned and followed by a slash; empty for none. A
     * folder with {@code ..} is refused.
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

    /**
     * The safe form of a path: each name cleaned, joined by slashes. A path with a name that would
     * have to be changed loses its folders.
     */
    public static String path(String given) {
        String[] names = given.split("/", -1);
        for (int i = 0; i < names.length - 1; i++) {
            boolean safe =
                    !names[i].isBlank()
                            && !names[i].equals(".")
                            && !names[i].equals("..")
                            && names[i].indexOf('\\') < 0
                            && names[i].codePoints().allMatch(FileNames::isAllowed);
            if (!safe) {
                return clean(given);
            }
            names[i] = clean(names[i]);
        }
        names[names.length - 1] = clean(given);
        String path = String.join("/", names);
        return bytes(path) > MAX_PATH_BYTES ? clean(given) : path;
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

    /** Equal for names that are the same file on a case-insensitive disk. */
    public static String key(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    }

    /** The last extension without its dot; empty for none, for dotfiles and for a final dot. */
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

    /** The index of the dot of the extension, or the length when there is none. */
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

    /** The characters that object keys and zip entries allow. */
    private static boolean isAllowed(int character) {
        boolean halfOfPair = character >= 0xD800 && character <= 0xDFFF;
        boolean noCharacter = character == 0xFFFE || character == 0xFFFF;
        return !Character.isISOControl(character) && !halfOfPair && !noCharacter;
    }

    private static SatchelException refused(String problem) {
        return new SatchelException(ErrorCode.INVALID_REQUEST, "the file name " + problem);
    }
}
