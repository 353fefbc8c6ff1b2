package dev.satchel.cli.output;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Formats sizes, times, durations and texts for people. */
public final class HumanFormat {
    private static final DateTimeFormatter DATE_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    private static final String[] UNITS = {"kB", "MB", "GB", "TB"};

    private HumanFormat() {}

    public static String size(long bytes) {
        if (bytes < 1_000) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = -1;
        do {
            value /= 1_000;
            unit++;
        } while (value >= 999.5 && unit < UNITS.length - 1);
        return String.format(Locale.ROOT, value < 10 ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
    }

    public static String dateTime(Instant at) {
        return DATE_TIME.format(at.atZone(ZoneId.systemDefault()));
    }

    static String duration(long millis) {
        return millis < 1_000
                ? millis + " ms"
                : String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
    }

    /** Removes control characters except line breaks and tabs, so that no text moves the cursor. */
    static String removeControls(String text) {
        return text.codePoints()
                .filter(point -> point == '\n' || point == '\t' || !Character.isISOControl(point))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Returns the beginning of a text as one line. */
    public static String abbreviate(String text, int maxLength) {
        String line = Table.plain(text).strip();
        return line.length() <= maxLength ? line : line.substring(0, maxLength - 1) + "…";
    }
}
