package dev.satchel.bench.report;

import java.util.Locale;

/** What a figure is held to, by the median of its rounds. */
public sealed interface Bar {
    /** Ours must be below a fixed number. */
    record Below(double limit, Unit unit) implements Bar {
        public Below(double millis) {
            this(millis, Unit.MILLISECONDS);
        }
    }

    /** Ours may be so many times the anchor's: of what costs. */
    record AtMostTimes(double factor) implements Bar {}

    /** Ours must be so many times the anchor's: of what is gained, a rate. */
    record AtLeastTimes(double factor) implements Bar {}

    /** Not once, in no round. */
    record Never() implements Bar {}

    /** Held to nothing: shown for information. */
    record Open() implements Bar {}

    default String show() {
        return switch (this) {
            case Below below -> "< " + plain(below.limit()) + " " + below.unit().symbol();
            case AtMostTimes times -> "≤ " + plain(times.factor()) + " ×";
            case AtLeastTimes times -> "≥ " + plain(times.factor()) + " ×";
            case Never _ -> "0";
            case Open _ -> "–";
        };
    }

    private static String plain(double value) {
        return String.format(Locale.ROOT, "%.2f", value).replaceAll("\\.?0+$", "");
    }
}
