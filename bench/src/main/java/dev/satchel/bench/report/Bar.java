package dev.satchel.bench.report;

import java.util.Locale;

/** What a figure is held to. */
public sealed interface Bar {
    /** The best round must be below. */
    record Below(double millis) implements Bar {}

    /** Ours may be so many times the anchor's. */
    record AtMostTimes(double factor) implements Bar {}

    /** Not once, in no round. */
    record Never() implements Bar {}

    /** Held to nothing: shown for information. */
    record Open() implements Bar {}

    default String show() {
        return switch (this) {
            case Below below -> "< " + plain(below.millis()) + " ms";
            case AtMostTimes times -> "≤ " + plain(times.factor()) + " ×";
            case Never _ -> "0";
            case Open _ -> "–";
        };
    }

    private static String plain(double value) {
        return value == Math.rint(value)
                ? Long.toString(Math.round(value))
                : String.format(Locale.ROOT, "%.1f", value);
    }
}
