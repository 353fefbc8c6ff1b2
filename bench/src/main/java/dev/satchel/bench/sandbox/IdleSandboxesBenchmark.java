package dev.satchel.bench.sandbox;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Threshold;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The memory of sandboxes that are open and have nothing to do, as while a model thinks. */
public final class IdleSandboxesBenchmark implements Benchmark {
    private static final double KIBIBYTES_PER_MEGABYTE = 1e6 / 1024;
    private static final Command COMMAND =
            Command.shell("echo works", Duration.ofMinutes(1), 1_000);

    @Override
    public String name() {
        return "idle-sandboxes";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        SandboxFactory sandboxes = SandboxSetup.detect(System.getenv());
        int count = effort.sizes().idleSandboxes();
        List<Sandbox> open = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        double before = availableMegabytes();
        double used;
        try {
            for (int i = 0; i < count; i++) {
                try {
                    open.add(sandboxes.open(spec(place.fresh("idle"))));
                    failures.addAll(failureOf(open.getLast()));
                } catch (IOException | RuntimeException e) {
                    failures.add(e.toString());
                }
            }
            used = before - availableMegabytes();
        } finally {
            for (Sandbox sandbox : open) {
                sandbox.close();
            }
        }
        String figure = String.format(Locale.ROOT, "%,d idle sandboxes open", count);
        return List.of(
                Result.of(
                                figure,
                                new RoundValues(
                                        MeasurementUnit.FAILURES,
                                        List.of((double) failures.size())),
                                new Threshold.Never())
                        .noting(failures.isEmpty() ? "" : failures.getFirst()),
                Result.of(
                        "… memory of the machine for each",
                        new RoundValues(
                                MeasurementUnit.MEGABYTES, List.of(Math.max(0, used / count))),
                        new Threshold.Below(3, MeasurementUnit.MEGABYTES)));
    }

    /** Empty if a command works in it. */
    private static List<String> failureOf(Sandbox sandbox)
            throws IOException, InterruptedException {
        String output = sandbox.run(COMMAND).output();
        return output.equals("works\n") ? List.of() : List.of(output);
    }

    private static SandboxSpec spec(Path workspace) {
        return new SandboxSpec("bench", workspace, SandboxLimits.DEFAULT, List.of(), Map.of());
    }

    private static double availableMegabytes() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
            String line =
                    lines.filter(one -> one.startsWith("MemAvailable:")).findFirst().orElseThrow();
            return Long.parseLong(line.replaceAll("\\D", "")) / KIBIBYTES_PER_MEGABYTE;
        }
    }
}
