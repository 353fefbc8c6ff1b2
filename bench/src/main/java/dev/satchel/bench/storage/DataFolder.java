package dev.satchel.bench.storage;

import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.server.application.Application;
import dev.satchel.server.configuration.ConfigurationReader;
import dev.satchel.server.schedule.MonotonicClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The data folder of a server that does not run. */
record DataFolder(Path path) {
    private static final double BYTES_PER_MEGABYTE = 1_000_000;

    /** Every age has passed by then. */
    private static final Duration LATER = Duration.ofDays(400);

    static Clock later() {
        return Clock.offset(Clock.systemUTC(), LATER);
    }

    /** Erases what was deleted, as a server does that still runs when every age has passed. */
    void sweep() throws Exception {
        Map<String, String> variables =
                Map.of("SATCHEL_RUNNER", "none", "SATCHEL_API_KEY", ServerProcess.KEY);
        Map<String, String> flags = Map.of("--port", "0", "--data", path.toString());
        try (Application application =
                new Application(
                        ConfigurationReader.read(flags, List.of(), variables).configuration(),
                        later(),
                        new MonotonicClock())) {
            application.sweep();
        }
    }

    double megabytes() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                // the driver is unpacked once in a process, into the first of the folders
                bytes += file.toString().endsWith(".so") ? 0 : Files.size(file);
            }
        }
        return bytes / BYTES_PER_MEGABYTE;
    }

    RoundValues size() throws IOException {
        return new RoundValues(MeasurementUnit.MEGABYTES, List.of(megabytes()));
    }
}
