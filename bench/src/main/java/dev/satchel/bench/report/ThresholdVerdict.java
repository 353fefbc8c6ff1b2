package dev.satchel.bench.report;

/** Whether a figure meets its threshold. */
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

    /** What does not hold, or was not measured, decides. */
    ThresholdVerdict and(ThresholdVerdict other) {
        return this == HOLDS ? other : this;
    }

    static ThresholdVerdict of(boolean holds) {
        return holds ? HOLDS : FALLS_SHORT;
    }
}
