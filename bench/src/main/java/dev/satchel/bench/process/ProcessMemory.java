package dev.satchel.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The resident memory of a process, in megabytes. */
public record ProcessMemory(double resident, double peak) {
    private static final double KIBIBYTES_PER_MEGABYTE = 1e6 / 1024;

    static ProcessMemory of(long pid) throws IOException {
        Path status = Path.of("/proc", Long.toString(pid), "status");
        return new ProcessMemory(entry(status, "VmRSS:"), entry(status, "VmHWM:"));
    }

    private static double entry(Path status, String name) throws IOException {
        try (Stream<String> lines = Files.lines(status)) {
            String line = lines.filter(one -> one.startsWith(name)).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) / KIBIBYTES_PER_MEGABYTE;
        }
    }
}
