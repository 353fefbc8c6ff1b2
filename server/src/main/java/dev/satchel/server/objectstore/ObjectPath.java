package dev.satchel.server.objectstore;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The path of an object on disk: its key with one directory per segment. Characters outside of
 * ASCII are percent-encoded, so that neither the locale nor the Unicode normalization of the file
 * system matters. A segment that is too long for one name is split; the first part is a directory
 * whose name ends in {@code %+}.
 */
record ObjectPath(List<String> directories, String leaf) {
    private static final int MAX_NAME = 240;
    private static final String CONTINUED = "%+";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    ObjectPath {
        directories = List.copyOf(directories);
    }

    static ObjectPath of(ObjectKey key) {
        List<String> names = names(key.segments());
        return new ObjectPath(names.subList(0, names.size() - 1), names.getLast());
    }

    static List<String> names(List<String> segments) {
        List<String> names = new ArrayList<>();
        for (String segment : segments) {
            addNames(segment, names);
        }
        return names;
    }

    /** The key of this path, or empty when no key has it. */
    Optional<ObjectKey> key() {
        if (isPlain(leaf) && directories.stream().allMatch(ObjectPath::isPlain)) {
            String directory = String.join("/", directories);
            return key(directory.isEmpty() ? leaf : directory + "/" + leaf);
        }
        StringBuilder encoded = new StringBuilder();
        for (String directory : directories) {
            if (directory.endsWith(CONTINUED)) {
                encoded.append(directory, 0, directory.length() - CONTINUED.length());
            } else {
                encoded.append(directory).append('/');
            }
        }
        try {
            ObjectKey key = new ObjectKey(decode(encoded.append(leaf).toString()));
            return of(key).equals(this) ? Optional.of(key) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Whether a name is encoded as itself. */
    private static boolean isPlain(String name) {
        if (name.length() > MAX_NAME) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char character = name.charAt(i);
            if (character < ' ' || character > '~' || character == '%') {
                return false;
            }
        }
        return true;
    }

    private static Optional<ObjectKey> key(String value) {
        try {
            return Optional.of(new ObjectKey(value));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static void addNames(String segment, List<String> names) {
        StringBuilder piece = new StringBuilder();
        for (int character : segment.codePoints().toArray()) {
            String encoded = encode(character);
            if (piece.length() + encoded.length() > MAX_NAME) {
                names.add(piece + CONTINUED);
                piece.setLength(0);
            }
            piece.append(encoded);
        }
        names.add(piece.toString());
    }

    private static String encode(int character) {
        String text = Character.toString(character);
        if (character >= ' ' && character <= '~' && character != '%') {
            return text;
        }
        StringBuilder encoded = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            encoded.append('%').append(HEX.toHexDigits(b));
        }
        return encoded.toString();
    }

    private static String decode(String encoded) {
        byte[] bytes = new byte[encoded.length()];
        int count = 0;
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%') {
                if (i + 2 >= encoded.length()) {
                    throw new IllegalArgumentException("incomplete escape: " + encoded);
                }
                bytes[count++] = (byte) HexFormat.fromHexDigits(encoded, i + 1, i + 3);
                i += 2;
            } else {
                bytes[count++] = (byte) c;
            }
        }
        return new String(bytes, 0, count, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s/%s", String.join("/", directories), leaf);
    }
}
