package dev.satchel.torture.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/**
 * What a scenario has to work with: a folder of its own, the dice, and where to count. In a short
 * play a moment is enough where a long one waits for real.
 */
public record ScenarioContext(
        Path folder,
        Path s3proxy,
        Random random,
        EventCounts counts,
        Duration load,
        boolean brief) {

    public Path fresh(String name) throws IOException {
        return Files.createTempDirectory(folder, name + "-");
    }

    /** Some time up to the limit, as the dice say. */
    public Duration within(Duration limit) {
        return Duration.ofMillis(random.nextLong(limit.toMillis() + 1));
    }
}
