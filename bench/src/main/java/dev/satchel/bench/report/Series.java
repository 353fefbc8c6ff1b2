package dev.satchel.bench.report;

import java.util.List;

/**
 * One number per round; less is better. Whatever else the machine does only adds to a round, so the
 * best one says most about us, and the others say how far to trust it.
 */
public record Series(Unit unit, List<Double> rounds) {
    public Series {
        rounds = List.copyOf(rounds);
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("a series needs a round");
        }
    }

    public static Series millis(List<Double> rounds) {
        return new Series(Unit.MILLISECONDS, rounds);
    }

    public double best() {
        return sorted().getFirst();
    }

    public double worst() {
        return sorted().getLast();
    }

    public double median() {
        List<Double> sorted = sorted();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    String show() {
        if (rounds.size() == 1) {
            return unit.show(best());
        }
        return "%s (%s, %s)"
                .formatted(unit.show(best()), unit.number(median()), unit.number(worst()));
    }

    private List<Double> sorted() {
        return rounds.stream().sorted().toList();
    }
}
