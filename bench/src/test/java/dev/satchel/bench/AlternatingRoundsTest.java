package dev.satchel.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Threshold;
import dev.satchel.bench.report.ThresholdVerdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlternatingRoundsTest {
    private final List<String> order = new ArrayList<>();

    @Test
    void oursAndItsAnchorTakeTurnsAndWhoBeginsChanges() throws Exception {
        rounds(
                new AlternatingRounds(
                        MeasurementUnit.PER_SECOND,
                        () -> noted("ours"),
                        "peer",
                        () -> noted("peer")));

        assertThat(order)
                .containsExactly("ours", "peer", "peer", "ours", "ours", "peer", "peer", "ours");
    }

    @Test
    void theRoundThatWarmsUpDoesNotCount() throws Exception {
        Result result =
                rounds(
                        new AlternatingRounds(
                                MeasurementUnit.PER_SECOND,
                                () -> noted("ours"),
                                "peer",
                                () -> noted("peer")));

        assertThat(result.ours())
                .isEqualTo(new RoundValues(MeasurementUnit.PER_SECOND, List.of(4.0, 5.0, 8.0)));
    }

    @Test
    void withoutItsPeerOursIsStillMeasured() throws Exception {
        Result result =
                rounds(
                        new AlternatingRounds(
                                MeasurementUnit.PER_SECOND, () -> noted("ours"), "peer", null));

        assertThat(order).hasSize(4);
        assertThat(result.verdict()).isEqualTo(ThresholdVerdict.NOT_MEASURED);
    }

    private double noted(String who) {
        order.add(who);
        return order.size();
    }

    private static Result rounds(AlternatingRounds turns) throws Exception {
        return turns.rounds(3, "x", new Threshold.AtLeastTimes(1));
    }
}
