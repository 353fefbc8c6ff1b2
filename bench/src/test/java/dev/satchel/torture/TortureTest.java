package dev.satchel.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.torture.harness.EventCounts;
import dev.satchel.torture.scenario.Scenario;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every short scenario once; {@code ./satchel torture} runs all of them, and for longer. */
class TortureTest {
    private static final Path S3PROXY = Path.of("..", "server", "target", "s3proxy", "s3proxy.jar");

    @TempDir Path folder;

    static List<String> scenarios() {
        return TortureRun.ALL.stream().filter(Scenario::isShort).map(Scenario::name).toList();
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void nothingIsLostAndNothingStaysBehind(String name) throws Exception {
        Scenario scenario =
                TortureRun.ALL.stream()
                        .filter(s -> s.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        EventCounts counts =
                new TortureRun(folder, S3PROXY).runBriefly(scenario, new Random().nextLong());
        System.out.println(counts);
        assertThat(counts.of("scenarios run")).isEqualTo(1);
    }
}
