package dev.satchel.bench.report;

import java.util.List;

/** One value per round; the median is reported, with the spread. */
public record RoundValues(MeasurementUnit unit, List<Double> rounds) {
    public RoundValues {
        rounds = List.copyOf(rounds);
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("a series needs a round");
        }
    }

    public static RoundValues millis(List<Double> rounds) {
        return new RoundValues(MeasurementUnit.MILLISECONDS, rounds);
    }

    public double median() {
        List<Double> sorted = sorted();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public double lowest() {
        return sorted().getFirst();
    }

    public double highest() {
        return sorted().getLast();
    }

    String show() {
        if (rounds.size() == 1) {
            return unit.show(median());
        }
        return "%s (%s–%s)"
                .formatted(unit.show(median()), unit.number(lowest()), unit.number(highest()));
    }

    private List<Double> sorted() {
        return rounds.stream().sorted().toList();
    }
}
