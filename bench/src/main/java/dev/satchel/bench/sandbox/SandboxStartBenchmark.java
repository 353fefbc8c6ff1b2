package dev.satchel.bench.sandbox;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Threshold;
import dev.satchel.runner.sandbox.Command;
import dev.satchel.runner.sandbox.CommandResult;
import dev.satchel.runner.sandbox.Sandbox;
import dev.satchel.runner.sandbox.SandboxFactory;
import dev.satchel.runner.sandbox.SandboxLimits;
import dev.satchel.runner.sandbox.SandboxSpec;
import dev.satchel.runner.sandbox.setup.SandboxSetup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Opening a sandbox until the first byte of a command, alternating with a plain process. */
public final class SandboxStartBenchmark implements Benchmark {
    /** The pipe takes one byte, a line feed. */
    private static final String SCRIPT = "echo >" + FirstByteSignal.NAME;

    private static final Command COMMAND = Command.shell(SCRIPT, Duration.ofSeconds(20), 1_000);

    @Override
    public String name() {
        return "sandbox-start";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        SandboxFactory sandboxes = SandboxSetup.detect(System.getenv());
        Path workspace = place.fresh("workspace");
        List<Double> ours = new ArrayList<>();
        List<Double> whole = new ArrayList<>();
        List<Double> anchor = new ArrayList<>();
        try (FirstByteSignal signal = new FirstByteSignal(workspace)) {
            for (int round = -1; round < effort.rounds(); round++) {
                Samples first = new Samples();
                Samples all = new Samples();
                Samples plain = new Samples();
                for (int i = 0; i < effort.samples(); i++) {
                    plain.add(signal.timeToFirstByte(() -> plainProcess(workspace)));
                    long start = System.nanoTime();
                    first.add(signal.timeToFirstByte(() -> sandbox(sandboxes, workspace)));
                    all.add(System.nanoTime() - start);
                }
                if (round >= 0) { // the first one warms up
                    ours.add(first.medianMillis());
                    whole.add(all.medianMillis());
                    anchor.add(plain.medianMillis());
                }
            }
        }
        RoundValues plainStart = RoundValues.millis(anchor);
        return List.of(
                Result.of(
                                "sandbox start to first byte, p50",
                                RoundValues.millis(ours),
                                new Threshold.Both(
                                        new Threshold.Below(15), new Threshold.AtMostTimes(2.5)))
                        .against("plain sh", plainStart)
                        .noting(sandboxes.warning().orElse("")),
                Result.of(
                        "… and until it is gone, p50",
                        RoundValues.millis(whole),
                        new Threshold.Open()));
    }

    private static void plainProcess(Path workspace) throws IOException, InterruptedException {
        int exit =
                new ProcessBuilder("/bin/sh", "-c", SCRIPT)
                        .directory(workspace.toFile())
                        .start()
                        .waitFor();
        if (exit != 0) {
            throw new IOException("a plain shell ended with " + exit);
        }
    }

    private static void sandbox(SandboxFactory sandboxes, Path workspace)
            throws IOException, InterruptedException {
        SandboxSpec spec =
                new SandboxSpec("bench", workspace, SandboxLimits.DEFAULT, List.of(), Map.of());
        try (Sandbox sandbox = sandboxes.open(spec)) {
            CommandResult result = sandbox.run(COMMAND);
            if (result.exitCode() != 0) {
                throw new IOException("a sandbox ended with " + result);
            }
        }
    }
}
