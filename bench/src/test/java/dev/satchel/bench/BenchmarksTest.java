package dev.satchel.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.bench.report.Anchor;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.ThresholdVerdict;
import dev.satchel.server.command.Main;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs every benchmark once with the smallest sizes; no test asserts a speed. */
@Timeout(180)
class BenchmarksTest {
    private static final MeasurementEffort TINY =
            new MeasurementEffort(
                    "tiny",
                    1,
                    1,
                    true,
                    3,
                    1,
                    Duration.ofMillis(1500),
                    Duration.ofMillis(200),
                    new DataSizes(
                            30,
                            5,
                            6,
                            4,
                            200,
                            10,
                            200,
                            20,
                            50,
                            8,
                            new DataSizes.Lines(4, 2, 20),
                            new DataSizes.Bytes(1, 1, 1, 2),
                            new DataSizes.Idle(2, 5)));

    @ParameterizedTest
    @MethodSource("figures")
    void everyFigureGivesNumbers(String name, @TempDir Path folder) throws Exception {
        BenchmarkEnvironment place = new BenchmarkEnvironment(folder, satchelFromClassPath());

        List<Result> results = figure(name).measure(TINY, place);

        assertThat(results)
                .isNotEmpty()
                .filteredOn(result -> !lacksItsPeer(result))
                .extracting(Result::verdict)
                .doesNotContain(ThresholdVerdict.NOT_MEASURED);
    }

    /** Every row must be measured, except those beside nginx, which the tests do not install. */
    private static boolean lacksItsPeer(Result result) {
        Anchor anchor = result.anchor();
        return anchor != null
                && anchor.name().equals("nginx")
                && ReferenceProgram.NGINX.find().isEmpty();
    }

    static List<String> figures() {
        return BenchMain.FIGURES.stream().map(Benchmark::name).toList();
    }

    private static Benchmark figure(String name) {
        return BenchMain.FIGURES.stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> satchelFromClassPath() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName());
    }
}
