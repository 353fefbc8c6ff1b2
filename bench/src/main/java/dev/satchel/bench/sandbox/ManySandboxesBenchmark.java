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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** Many sandboxes open at the same time, each with a command running in it. */
public final class ManySandboxesBenchmark implements Benchmark {
    private static final double NANOS_PER_MILLISECOND = 1_000_000;
    private static final Command COMMAND =
            Command.shell("echo works", Duration.ofMinutes(1), 1_000);

    @Override
    public String name() {
        return "many-sandboxes";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        SandboxFactory sandboxes = SandboxSetup.detect(System.getenv());
        List<Double> failures = new ArrayList<>();
        List<Double> times = new ArrayList<>();
        String why = "";
        for (int round = 0; round < effort.rounds(); round++) {
            long start = System.nanoTime();
            List<String> failed = new Round(sandboxes, effort.sizes().sandboxes()).run(place);
            times.add((System.nanoTime() - start) / NANOS_PER_MILLISECOND);
            failures.add((double) failed.size());
            why = failed.isEmpty() ? why : failed.getFirst();
        }
        String figure = effort.sizes().sandboxes() + " sandboxes at once";
        return List.of(
                Result.of(
                                figure,
                                new RoundValues(MeasurementUnit.FAILURES, failures),
                                new Threshold.Never())
                        .noting(why),
                Result.of(
                        "… until the last is gone",
                        RoundValues.millis(times),
                        new Threshold.Open()));
    }

    /** All are open before the first runs its command. */
    private static final class Round {
        private final SandboxFactory sandboxes;
        private final int count;
        private final CountDownLatch open;
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();

        Round(SandboxFactory sandboxes, int count) {
            this.sandboxes = sandboxes;
            this.count = count;
            this.open = new CountDownLatch(count);
        }

        List<String> run(BenchmarkEnvironment place) throws IOException, InterruptedException {
            List<Thread> runs = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                Path workspace = place.fresh("many");
                runs.add(Thread.ofVirtual().start(() -> live(workspace)));
            }
            for (Thread run : runs) {
                run.join();
            }
            return List.copyOf(failures);
        }

        private void live(Path workspace) {
            SandboxSpec spec =
                    new SandboxSpec("bench", workspace, SandboxLimits.DEFAULT, List.of(), Map.of());
            try (Sandbox sandbox = sandboxes.open(spec)) {
                open.countDown();
                open.await();
                String output = sandbox.run(COMMAND).output();
                if (!output.equals("works\n")) {
                    failures.add(output);
                }
            } catch (IOException | RuntimeException e) {
                failures.add(e.toString());
                open.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
