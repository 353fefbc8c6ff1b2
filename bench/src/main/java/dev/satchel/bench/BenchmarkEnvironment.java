package dev.satchel.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The directory for benchmarks and the command that starts the measured server. */
public record BenchmarkEnvironment(Path folder, List<String> satchel) {
    public BenchmarkEnvironment {
        satchel = List.copyOf(satchel);
    }

    /** A new folder; on disk, since durable is part of what is measured. */
    public Path fresh(String name) throws IOException {
        return Files.createTempDirectory(folder, name + "-");
    }
}
