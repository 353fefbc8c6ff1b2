package dev.satchel.bench;

import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Threshold;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures ours and the anchor in the same run, alternating in every round which one begins, so
 * that disturbances affect both.
 */
public final class AlternatingRounds {
    /** Gives the number of one round. */
    public interface Measured {
        double measure() throws Exception;
    }

    private final MeasurementUnit unit;
    private final Measured ours;
    private final String anchorName;
    private final @Nullable Measured anchor;

    public AlternatingRounds(
            MeasurementUnit unit, Measured ours, String anchorName, @Nullable Measured anchor) {
        this.unit = unit;
        this.ours = ours;
        this.anchorName = anchorName;
        this.anchor = anchor;
    }

    /** Runs ours some more times before the first round, so that the JVM has compiled it. */
    public AlternatingRounds warmed(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            double _ = ours.measure();
        }
        return this;
    }

    /** The first round is a warm-up and is not counted. */
    public Result rounds(int count, String figure, Threshold bar) throws Exception {
        List<Double> mine = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        for (int round = 0; round <= count; round++) {
            if (round % 2 == 0) {
                mine.add(ours.measure());
                measureAnchor(theirs);
            } else {
                measureAnchor(theirs);
                mine.add(ours.measure());
            }
        }
        Result result = Result.of(figure, counted(mine), bar);
        return anchor == null
                ? result.withoutPeer(anchorName)
                : result.against(anchorName, counted(theirs));
    }

    private void measureAnchor(List<Double> rounds) throws Exception {
        if (anchor != null) {
            rounds.add(anchor.measure());
        }
    }

    private RoundValues counted(List<Double> rounds) {
        return new RoundValues(unit, rounds.subList(1, rounds.size()));
    }
}
