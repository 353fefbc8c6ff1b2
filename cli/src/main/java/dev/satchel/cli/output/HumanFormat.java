package dev.satchel.cli.output;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/** Formats sizes, times, durations and texts for people. */
public final class HumanFormat {
    private static final DateTimeFormatter DATE_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);

    private static final String[] UNITS = {"kB", "MB", "GB", "TB"};

    /** A command with its values, a title, or another sequence of two or three characters. */
    private static final Pattern SEQUENCE =
            Pattern.compile(
                    "(?:\u001b\\[|\u009b)[0-?]*["
                            + " -/]*[@-~]|\u001b\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)"
                            + "|\u001b[()#][0-9A-Za-z]|\u001b[0-9=>A-Za-z]");

    private static final Pattern REWRITTEN = Pattern.compile("\r(?!\n)");

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

    /**
     * Removes the sequences and the control characters of terminals except line breaks and tabs, so
     * that no text moves the cursor. A line that was written again is a line of its own.
     */
    static String removeControls(String text) {
        String plain = SEQUENCE.matcher(text).replaceAll("");
        return REWRITTEN
                .matcher(plain)
                .replaceAll("\n")
                .codePoints()
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
