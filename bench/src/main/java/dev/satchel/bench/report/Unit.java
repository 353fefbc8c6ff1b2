package dev.satchel.bench.report;

import java.util.Locale;

/** What a number counts. */
public enum Unit {
    MILLISECONDS("ms"),
    FAILURES("failures");

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    public String symbol() {
        return symbol;
    }

    String number(double value) {
        return this == FAILURES
                ? Long.toString(Math.round(value))
                : String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }

    String show(double value) {
        return number(value) + " " + symbol;
    }
}
