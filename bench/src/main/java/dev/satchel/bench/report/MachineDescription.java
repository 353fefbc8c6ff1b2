package dev.satchel.bench.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The machine on which the figures were measured. */
public record MachineDescription(String cpu, int cores, String memory, String system, String java) {
    public static MachineDescription here() throws IOException {
        return new MachineDescription(
                entry("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                entry("/proc/meminfo", "MemTotal"),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
    }

    /** How many processes wanted to run during the last minute; more than the cores is noise. */
    public static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    public String show() {
        return "%d × %s, %s memory, %s, %s".formatted(cores, cpu, memory, system, java);
    }

    private static String entry(String file, String name) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        }
    }
}
