package dev.satchel.bench.report;

import java.util.Locale;

/** The limit for a figure, checked against the median of its rounds. */
public sealed interface Threshold {
    /** Ours must be below a fixed number. */
    record Below(double limit, MeasurementUnit unit) implements Threshold {
        public Below(double millis) {
            this(millis, MeasurementUnit.MILLISECONDS);
        }
    }

    /** Ours may be so many times the anchor's: of what costs. */
    record AtMostTimes(double factor) implements Threshold {}

    /** Ours must be so many times the anchor's: of what is gained, a rate. */
    record AtLeastTimes(double factor) implements Threshold {}

    /** Not once, in no round. */
    record Never() implements Threshold {}

    /** Two limits; ours must meet both. */
    record Both(Threshold first, Threshold second) implements Threshold {}

    /** No limit: shown for information. */
    record Open() implements Threshold {}

    default String show() {
        return switch (this) {
            case Below below -> "< " + plain(below.limit()) + " " + below.unit().symbol();
            case AtMostTimes times -> "≤ " + plain(times.factor()) + " ×";
            case AtLeastTimes times -> "≥ " + plain(times.factor()) + " ×";
            case Never _ -> "0";
            case Both both -> both.first().show() + ", " + both.second().show();
            case Open _ -> "–";
        };
    }

    private static String plain(double value) {
        return String.format(Locale.ROOT, "%.2f", value).replaceAll("\\.?0+$", "");
    }
}
