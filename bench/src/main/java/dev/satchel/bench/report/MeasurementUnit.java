package dev.satchel.bench.report;

import java.util.Locale;

/** The unit of a figure. */
public enum MeasurementUnit {
    MILLISECONDS("ms"),
    BYTES("B"),
    KILOBYTES("KB"),
    MEGABYTES("MB"),
    MEGABYTES_PER_SECOND("MB/s"),
    MICROSECONDS("µs"),
    PER_SECOND("/s"),
    FAILURES("failures");

    private final String symbol;

    MeasurementUnit(String symbol) {
        this.symbol = symbol;
    }

    public String symbol() {
        return symbol;
    }

    /** With a useful number of digits. */
    String number(double value) {
        if (this == FAILURES || value >= 100) {
            return Long.toString(Math.round(value));
        }
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }

    String show(double value) {
        return number(value) + " " + symbol;
    }
}
