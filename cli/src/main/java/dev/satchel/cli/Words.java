package dev.satchel.cli;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Sizes, times and durations as people say them. */
final class Words {
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    private static final String[] UNITS = {"kB", "MB", "GB", "TB"};

    private Words() {}

    static String size(long bytes) {
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

    static String moment(Instant at) {
        return MOMENT.format(at.atZone(ZoneId.systemDefault()));
    }

    static String duration(long millis) {
        return millis < 1_000
                ? millis + " ms"
                : String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
    }

    /**
     * A text of others for a terminal: it may have lines, but not move the cursor or its colour.
     */
    static String harmless(String text) {
        return text.codePoints()
                .filter(point -> point == '\n' || point == '\t' || !Character.isISOControl(point))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** The beginning of a text as one line. */
    static String shortened(String text, int longest) {
        String line = Table.plain(text).strip();
        return line.length() <= longest ? line : line.substring(0, longest - 1) + "…";
    }
}
