package dev.satchel.bench.report;

import java.util.OptionalDouble;
import java.util.function.DoublePredicate;
import org.jspecify.annotations.Nullable;

/** One row of the table. Without a series of ours it was not measured, and the note says why. */
public record Result(
        String figure,
        @Nullable RoundValues ours,
        @Nullable Anchor anchor,
        Threshold bar,
        String note) {

    public static Result of(String figure, RoundValues ours, Threshold bar) {
        return new Result(figure, ours, null, bar, "");
    }

    public static Result notMeasured(String figure, Threshold bar, String reason) {
        return new Result(figure, null, null, bar, reason);
    }

    public Result against(String name, RoundValues series) {
        return new Result(figure, ours, new Anchor(name, series), bar, note);
    }

    /** The reference program is not installed: the row names it. */
    public Result withoutPeer(String name) {
        return new Result(figure, ours, new Anchor(name, null), bar, note);
    }

    public Result noting(String text) {
        return new Result(figure, ours, anchor, bar, text);
    }

    /** Ours to the anchor's, median to median. */
    public OptionalDouble ratio() {
        RoundValues theirs = anchor == null ? null : anchor.series();
        return ours == null || theirs == null || theirs.median() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(ours.median() / theirs.median());
    }

    public ThresholdVerdict verdict() {
        RoundValues measured = ours;
        if (measured == null) {
            return ThresholdVerdict.NOT_MEASURED;
        }
        return verdict(bar, measured);
    }

    private ThresholdVerdict verdict(Threshold limit, RoundValues measured) {
        return switch (limit) {
            case Threshold.Below below -> ThresholdVerdict.of(measured.median() < below.limit());
            case Threshold.AtMostTimes times -> byRatio(ratio -> ratio <= times.factor());
            case Threshold.AtLeastTimes times -> byRatio(ratio -> ratio >= times.factor());
            case Threshold.Never _ -> ThresholdVerdict.of(measured.highest() == 0);
            case Threshold.Both both ->
                    verdict(both.first(), measured).and(verdict(both.second(), measured));
            case Threshold.Open _ -> ThresholdVerdict.INFORMATION;
        };
    }

    private ThresholdVerdict byRatio(DoublePredicate holds) {
        return ratio().isPresent()
                ? ThresholdVerdict.of(holds.test(ratio().getAsDouble()))
                : ThresholdVerdict.NOT_MEASURED;
    }
}
