package dev.satchel.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTest {
    private static final RoundValues ROUNDS = RoundValues.millis(List.of(16.0, 12.0, 14.0, 30.0));

    @Test
    void aSeriesKnowsItsMedianAndItsSpread() {
        assertThat(ROUNDS.median()).isEqualTo(15);
        assertThat(ROUNDS.lowest()).isEqualTo(12);
        assertThat(ROUNDS.highest()).isEqualTo(30);
    }

    @Test
    void theMedianIsHeldAgainstALimit() {
        assertThat(Result.of("x", ROUNDS, new Threshold.Below(15.5)).verdict())
                .isEqualTo(ThresholdVerdict.HOLDS);
        assertThat(Result.of("x", ROUNDS, new Threshold.Below(15)).verdict())
                .isEqualTo(ThresholdVerdict.FALLS_SHORT);
    }

    @Test
    void aRatioIsOfMedianToMedian() {
        Result result =
                Result.of("x", ROUNDS, new Threshold.AtMostTimes(1.5))
                        .against("y", RoundValues.millis(List.of(10.0, 9.0, 99.0)));

        assertThat(result.ratio()).hasValue(1.5);
        assertThat(result.verdict()).isEqualTo(ThresholdVerdict.HOLDS);
    }

    @Test
    void aRateMustBeAtLeastSoManyTimesTheAnchors() {
        Result result =
                Result.of("x", rate(80), new Threshold.AtLeastTimes(0.8)).against("y", rate(100));

        assertThat(result.verdict()).isEqualTo(ThresholdVerdict.HOLDS);
        assertThat(result.against("y", rate(101)).verdict())
                .isEqualTo(ThresholdVerdict.FALLS_SHORT);
    }

    @Test
    void aPeerThatIsNotHereIsNamedAndNothingIsAssumed() {
        Result result =
                Result.of("x", rate(80), new Threshold.AtLeastTimes(0.8)).withoutPeer("nginx");

        assertThat(result.ratio()).isEmpty();
        assertThat(result.verdict()).isEqualTo(ThresholdVerdict.NOT_MEASURED);
        assertThat(ResultTable.of(List.of(result))).contains("| no nginx here |");
    }

    @Test
    void aRatioWithoutAnAnchorIsNotMeasured() {
        assertThat(Result.of("x", ROUNDS, new Threshold.AtMostTimes(2)).verdict())
                .isEqualTo(ThresholdVerdict.NOT_MEASURED);
    }

    @Test
    void ofTwoLimitsBothMustHold() {
        Threshold both =
                new Threshold.Both(new Threshold.Below(15.5), new Threshold.AtMostTimes(1.5));

        assertThat(Result.of("x", ROUNDS, both).against("y", rate(9)).verdict())
                .isEqualTo(ThresholdVerdict.FALLS_SHORT);
        assertThat(Result.of("x", ROUNDS, both).against("y", rate(1_000)).verdict())
                .isEqualTo(ThresholdVerdict.HOLDS);
        assertThat(Result.of("x", ROUNDS, both).verdict()).isEqualTo(ThresholdVerdict.NOT_MEASURED);
        assertThat(both.show()).isEqualTo("< 15.5 ms, ≤ 1.5 ×");
    }

    @Test
    void oneFailureInAnyRoundIsTooMuch() {
        RoundValues failures = new RoundValues(MeasurementUnit.FAILURES, List.of(0.0, 1.0));

        assertThat(Result.of("x", failures, new Threshold.Never()).verdict())
                .isEqualTo(ThresholdVerdict.FALLS_SHORT);
    }

    @Test
    void whatHasNoBarIsInformation() {
        assertThat(Result.of("x", ROUNDS, new Threshold.Open()).verdict())
                .isEqualTo(ThresholdVerdict.INFORMATION);
    }

    private static RoundValues rate(double value) {
        return new RoundValues(MeasurementUnit.MEGABYTES_PER_SECOND, List.of(value));
    }
}
