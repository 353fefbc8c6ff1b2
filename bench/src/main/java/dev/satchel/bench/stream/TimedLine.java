package dev.satchel.bench.stream;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A line whose step name holds its number and the time when it was written. */
record TimedLine(long number, long writtenNanos) {
    private static final Pattern NAME = Pattern.compile("\"name\":\"at-(\\d+)-(\\d+)\"");

    static String name(long number, long nanos) {
        return "at-" + number + "-" + nanos;
    }

    /** Finds one after the other in whatever they are wrapped in. */
    static Matcher find(CharSequence text) {
        return NAME.matcher(text);
    }

    static TimedLine of(Matcher found) {
        return new TimedLine(Long.parseLong(found.group(1)), Long.parseLong(found.group(2)));
    }
}
