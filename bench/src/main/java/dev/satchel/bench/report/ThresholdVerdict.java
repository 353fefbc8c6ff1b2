package dev.satchel.bench.report;

/** How a figure stands to its bar. */
public enum ThresholdVerdict {
    HOLDS("holds"),
    FALLS_SHORT("falls short"),
    NOT_MEASURED("not measured"),
    INFORMATION("–");

    private final String words;

    ThresholdVerdict(String words) {
        this.words = words;
    }

    public String words() {
        return words;
    }

    static ThresholdVerdict of(boolean holds) {
        return holds ? HOLDS : FALLS_SHORT;
    }
}
