package dev.satchel.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Series;
import dev.satchel.bench.report.Unit;
import dev.satchel.bench.report.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TurnAboutTest {
    private final List<String> order = new ArrayList<>();

    @Test
    void oursAndItsAnchorTakeTurnsAndWhoBeginsChanges() throws Exception {
        rounds(new TurnAbout(Unit.PER_SECOND, () -> noted("ours"), "peer", () -> noted("peer")));

        assertThat(order)
                .containsExactly("ours", "peer", "peer", "ours", "ours", "peer", "peer", "ours");
    }

    @Test
    void theRoundThatWarmsUpDoesNotCount() throws Exception {
        Result result =
                rounds(
                        new TurnAbout(
                                Unit.PER_SECOND, () -> noted("ours"), "peer", () -> noted("peer")));

        assertThat(result.ours()).isEqualTo(new Series(Unit.PER_SECOND, List.of(4.0, 5.0, 8.0)));
    }

    @Test
    void withoutItsPeerOursIsStillMeasured() throws Exception {
        Result result = rounds(new TurnAbout(Unit.PER_SECOND, () -> noted("ours"), "peer", null));

        assertThat(order).hasSize(4);
        assertThat(result.verdict()).isEqualTo(Verdict.NOT_MEASURED);
    }

    private double noted(String who) {
        order.add(who);
        return order.size();
    }

    private static Result rounds(TurnAbout turns) throws Exception {
        return turns.rounds(3, "x", new Bar.AtLeastTimes(1));
    }
}
