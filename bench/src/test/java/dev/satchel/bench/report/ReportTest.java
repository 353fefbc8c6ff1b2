package dev.satchel.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ReportTest {
    private static final Result APPEND =
            Result.of(
                            "append",
                            RoundValues.millis(List.of(1.5, 1.1, 2.0)),
                            new Threshold.AtMostTimes(1.6))
                    .against("at message 10", RoundValues.millis(List.of(1.0)))
                    .noting("on disk");
    private static final Result MISSING =
            Result.notMeasured("listing", new Threshold.Below(25), "no such peer");

    @Test
    void theTableShowsEveryFigureWithItsBarAndVerdict() {
        assertThat(ResultTable.of(List.of(APPEND, MISSING)))
                .isEqualTo(
                        """
                        | figure  | ours                | anchor                | ratio | bar     | verdict      |
                        | ------- | ------------------- | --------------------- | ----- | ------- | ------------ |
                        | append  | 1.50 ms (1.10–2.00) | 1.00 ms at message 10 | 1.50  | ≤ 1.6 × | holds        |
                        | listing | –                   | –                     | –     | < 25 ms | not measured |

                        The median of the rounds; in brackets the lowest and the highest.

                        - append: on disk
                        - listing: no such peer
                        """);
    }

    @Test
    void theFileKeepsEveryRound(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("target/bench.json");

        report().write(file);

        JsonNode all = Json.MAPPER.readTree(Files.readString(file));
        assertThat(all.get("loadBefore").doubleValue()).isEqualTo(0.5);
        assertThat(all.get("loadAfter").doubleValue()).isEqualTo(1.5);
        JsonNode results = all.get("results");
        assertThat(results.get(0).at("/ours/rounds").size()).isEqualTo(3);
        assertThat(results.get(0).at("/ours/median").doubleValue()).isEqualTo(1.5);
        assertThat(results.get(0).at("/anchor/name").stringValue()).isEqualTo("at message 10");
        assertThat(results.get(0).at("/verdict").stringValue()).isEqualTo("holds");
        assertThat(results.get(1).has("ours")).isFalse();
        assertThat(results.get(1).at("/note").stringValue()).isEqualTo("no such peer");
    }

    @Test
    void theTextNamesTheMachine() throws IOException {
        assertThat(report().text()).contains(MachineDescription.here().cores() + " × ");
    }

    @Test
    void aPageShowsTheNewestRunAndKeepsWhatItSaysByHand(@TempDir Path folder) throws IOException {
        Path page = folder.resolve("page.md");
        Files.writeString(
                page,
                "# Speed\n" + MarkdownPage.BEGIN + "an old table\n" + MarkdownPage.END + "Why.\n");

        new MarkdownPage(page).show(report());
        new MarkdownPage(page).show(report());

        assertThat(Files.readString(page))
                .startsWith("# Speed\n")
                .endsWith("Why.\n")
                .containsOnlyOnce("| append ")
                .doesNotContain("an old table");
    }

    private static Report report() throws IOException {
        List<Result> results = List.of(APPEND, MISSING);
        return new Report(Instant.EPOCH, "quick", MachineDescription.here(), 0.5, 1.5, results);
    }
}
