package dev.satchel.torture.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;

/**
 * What a scenario works with: its directory, a random generator and counters. A short run shortens
 * the waiting times.
 */
public record ScenarioContext(
        Path folder,
        Path s3proxy,
        Random random,
        EventCounts counts,
        Duration load,
        boolean brief) {

    public Path createDirectory(String name) throws IOException {
        return Files.createTempDirectory(folder, name + "-");
    }

    /** A random duration up to the limit. */
    public Duration within(Duration limit) {
        return Duration.ofMillis(random.nextLong(limit.toMillis() + 1));
    }
}
