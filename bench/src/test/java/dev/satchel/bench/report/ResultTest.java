package dev.satchel.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTest {
    private static final Series ROUNDS = Series.millis(List.of(16.0, 12.0, 14.0, 30.0));

    @Test
    void aSeriesKnowsItsBestMedianAndWorstRound() {
        assertThat(ROUNDS.best()).isEqualTo(12);
        assertThat(ROUNDS.median()).isEqualTo(15);
        assertThat(ROUNDS.worst()).isEqualTo(30);
    }

    @Test
    void theBestRoundIsHeldAgainstALimit() {
        assertThat(Result.of("x", ROUNDS, new Bar.Below(12.5)).verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(Result.of("x", ROUNDS, new Bar.Below(12)).verdict())
                .isEqualTo(Verdict.FALLS_SHORT);
    }

    @Test
    void aRatioIsOfBestToBest() {
        Result result =
                Result.of("x", ROUNDS, new Bar.AtMostTimes(1.2))
                        .against("y", Series.millis(List.of(10.0, 99.0)));

        assertThat(result.ratio()).hasValue(1.2);
        assertThat(result.verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void aRatioWithoutAnAnchorIsNotMeasured() {
        assertThat(Result.of("x", ROUNDS, new Bar.AtMostTimes(2)).verdict())
                .isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    void oneFailureInAnyRoundIsTooMuch() {
        Series failures = new Series(Unit.FAILURES, List.of(0.0, 1.0));

        assertThat(Result.of("x", failures, new Bar.Never()).verdict())
                .isEqualTo(Verdict.FALLS_SHORT);
    }

    @Test
    void whatHasNoBarIsInformation() {
        assertThat(Result.of("x", ROUNDS, new Bar.Open()).verdict()).isEqualTo(Verdict.INFORMATION);
    }
}
