package dev.satchel.server.file;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Names of the entries of exported archives. Windows reads a backslash as a separator and {@code
 * C:} as a drive, so an entry with such a name could be unpacked outside of the chosen folder.
 */
public final class ArchiveEntryNames {
    private static final Pattern DRIVE = Pattern.compile("^([A-Za-z]):");

    /** What an escaped name contains; a name that contains it anyway is escaped as well. */
    private static final Pattern ESCAPED = Pattern.compile("%(5C|3A|25)", Pattern.CASE_INSENSITIVE);

    private ArchiveEntryNames() {}

    /**
     * The path with {@code \} as {@code %5C} and the colon of a drive as {@code %3A}. Other names
     * stay as they are, and different paths stay different: in a name that is escaped, or looks as
     * if it were, {@code %} is {@code %25}.
     */
    public static String portable(String path) {
        return Arrays.stream(path.split("/", -1))
                .map(ArchiveEntryNames::escaped)
                .collect(Collectors.joining("/"));
    }

    private static String escaped(String name) {
        boolean isPortable =
                name.indexOf('\\') < 0
                        && !DRIVE.matcher(name).find()
                        && !ESCAPED.matcher(name).find();
        if (isPortable) {
            return name;
        }
        String plain = name.replace("%", "%25").replace("\\", "%5C");
        return DRIVE.matcher(plain).replaceFirst("$1%3A");
    }
}
