package dev.satchel.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What the kernel counts of a process. */
final class ProcessCounters {
    /** Of the times in {@code /proc/PID/stat}, whatever the kernel was built with. */
    private static final long TICK_MILLIS = 10;

    /** Positions after the name of the program, which may contain spaces. */
    private static final int CHILDREN_USER = 13;

    private static final int CHILDREN_SYSTEM = 14;
    private static final String WRITTEN = "write_bytes: ";

    private ProcessCounters() {}

    static Duration cpuOfEndedChildren(long pid) throws IOException {
        String stat = Files.readString(file(pid, "stat"));
        List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
        long ticks =
                Long.parseLong(fields.get(CHILDREN_USER))
                        + Long.parseLong(fields.get(CHILDREN_SYSTEM));
        return Duration.ofMillis(ticks * TICK_MILLIS);
    }

    static long writtenBytes(long pid) throws IOException {
        return Files.readAllLines(file(pid, "io")).stream()
                .filter(line -> line.startsWith(WRITTEN))
                .mapToLong(line -> Long.parseLong(line.substring(WRITTEN.length())))
                .findFirst()
                .orElseThrow(() -> new IOException("the kernel counts no written bytes"));
    }

    private static Path file(long pid, String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }
}
