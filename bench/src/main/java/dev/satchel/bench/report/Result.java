package dev.satchel.bench.report;

import java.util.OptionalDouble;
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

    public Result noting(String text) {
        return new Result(figure, ours, anchor, bar, text);
    }

    /** Ours to the anchor's, best round to best round. */
    public OptionalDouble ratio() {
        return ours == null || anchor == null || anchor.series().best() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(ours.best() / anchor.series().best());
    }

    public Verdict verdict() {
        Series measured = ours;
        if (measured == null) {
            return Verdict.NOT_MEASURED;
        }
        return switch (bar) {
            case Bar.Below below -> Verdict.of(measured.best() < below.millis());
            case Bar.AtMostTimes times ->
                    ratio().isPresent()
                            ? Verdict.of(ratio().getAsDouble() <= times.factor())
                            : Verdict.NOT_MEASURED;
            case Bar.Never _ -> Verdict.of(measured.worst() == 0);
            case Bar.Open _ -> Verdict.INFORMATION;
        };
    }
}
