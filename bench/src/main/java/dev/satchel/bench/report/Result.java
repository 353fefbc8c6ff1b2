package dev.satchel.bench.report;

import java.util.OptionalDouble;
import java.util.function.DoublePredicate;
import org.jspecify.annotations.Nullable;

/** One row of the table. Without a series of ours it was not measured, and the note says why. */
public record Result(
        String figure, @Nullable Series ours, @Nullable Anchor anchor, Bar bar, String note) {

    public static Result of(String figure, Series ours, Bar bar) {
        return new Result(figure, ours, null, bar, "");
    }

    public static Result notMeasured(String figure, Bar bar, String reason) {
        return new Result(figure, null, null, bar, reason);
    }

    public Result against(String name, Series series) {
        return new Result(figure, ours, new Anchor(name, series), bar, note);
    }

    /** The peer is not on this machine: it is named, and nothing is assumed about it. */
    public Result withoutPeer(String name) {
        return new Result(figure, ours, new Anchor(name, null), bar, note);
    }

    public Result noting(String text) {
        return new Result(figure, ours, anchor, bar, text);
    }

    /** Ours to the anchor's, median to median. */
    public OptionalDouble ratio() {
        Series theirs = anchor == null ? null : anchor.series();
        return ours == null || theirs == null || theirs.median() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(ours.median() / theirs.median());
    }

    public Verdict verdict() {
        Series measured = ours;
        if (measured == null) {
            return Verdict.NOT_MEASURED;
        }
        return switch (bar) {
            case Bar.Below below -> Verdict.of(measured.median() < below.limit());
            case Bar.AtMostTimes times -> byRatio(ratio -> ratio <= times.factor());
            case Bar.AtLeastTimes times -> byRatio(ratio -> ratio >= times.factor());
            case Bar.Never _ -> Verdict.of(measured.highest() == 0);
            case Bar.Open _ -> Verdict.INFORMATION;
        };
    }

    private Verdict byRatio(DoublePredicate holds) {
        return ratio().isPresent()
                ? Verdict.of(holds.test(ratio().getAsDouble()))
                : Verdict.NOT_MEASURED;
    }
}
