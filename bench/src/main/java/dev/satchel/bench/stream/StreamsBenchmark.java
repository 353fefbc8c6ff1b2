package dev.satchel.bench.stream;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ChildProcess;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * From the line a runner writes to the event a reader has, durable in between, with many streams
 * open. The anchor is the same readers on the same lines without a server between them.
 */
public final class StreamsBenchmark implements Benchmark {
    private static final String THROUGH_THE_SERVER = "/stream";
    private static final String DIRECT = "/direct";

    /** Long enough that what was written in a window has come in before the next one. */
    private static final Duration BETWEEN_WINDOWS = Duration.ofMillis(300);

    private static final int MOST_WARM_UPS = 10;

    @Override
    public String name() {
        return "streams";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        try (ChildProcess source = LineSourceProcess.start(place);
                ServerProcess server =
                        ServerProcess.start(
                                place,
                                Map.of(
                                        "SANDBOX_URL",
                                        "http://127.0.0.1:" + source.ready(),
                                        "SATCHEL_MAX_RUNS",
                                        "10000"));
                StreamReaders direct = new StreamReaders();
                StreamReaders ours = new StreamReaders()) {
            direct.open(
                    effort.sizes().streams(),
                    Integer.parseInt(source.ready()),
                    RawRequests.post(DIRECT, ""));
            String message = "{\"message\":\"Talk to me.\",\"onDisconnect\":\"cancel\"}";
            ours.open(
                    effort.sizes().streams(),
                    server.url().getPort(),
                    RawRequests.post("/api/assistant/chat/stream", message));
            DiskSyncProbe disk = new DiskSyncProbe(place.fresh("disk").resolve("probe"));
            CpuUsage cpu = new CpuUsage(server, source);
            List<Result> results = rounds(effort, source, cpu, disk, direct, ours);
            server.kill();
            return results;
        }
    }

    private static List<Result> rounds(
            MeasurementEffort effort,
            ChildProcess source,
            CpuUsage cpu,
            DiskSyncProbe disk,
            StreamReaders direct,
            StreamReaders ours)
            throws IOException, InterruptedException {
        List<Samples> oursByRound = new ArrayList<>();
        List<Samples> directByRound = new ArrayList<>();
        List<Samples> diskByRound = new ArrayList<>();
        warmUp(effort, source, ours);
        for (int round = 0; round < effort.rounds(); round++) {
            directByRound.add(window(source, DIRECT, effort.window(), direct));
            diskByRound.add(disk.measure());
            cpu.start();
            oursByRound.add(window(source, THROUGH_THE_SERVER, effort.window(), ours));
            cpu.stop();
        }
        String note = note(effort, ours.arrivals(), cpu);
        return List.of(
                row(effort, 50, oursByRound, directByRound, new Threshold.Below(5)).noting(note),
                row(effort, 99, oursByRound, directByRound, new Threshold.Below(25)),
                disk(50, diskByRound),
                disk(99, diskByRound));
    }

    /** Until every run of the server has been dispatched to the source, which takes a moment. */
    private static void warmUp(MeasurementEffort effort, ChildProcess source, StreamReaders ours)
            throws IOException, InterruptedException {
        for (int i = 0; i < MOST_WARM_UPS; i++) {
            Samples _ = window(source, THROUGH_THE_SERVER, effort.window().multipliedBy(2), ours);
            if (ours.arrivals().streams() == effort.sizes().streams()) {
                return;
            }
        }
    }

    private static Samples window(
            ChildProcess source, String path, Duration length, StreamReaders readers)
            throws IOException, InterruptedException {
        source.tell(path);
        Thread.sleep(BETWEEN_WINDOWS);
        long from = System.nanoTime();
        Thread.sleep(length);
        long to = System.nanoTime();
        source.tell("nobody");
        Thread.sleep(BETWEEN_WINDOWS);
        return readers.arrivals().between(from, to);
    }

    private static Result row(
            MeasurementEffort effort,
            int percent,
            List<Samples> ours,
            List<Samples> direct,
            Threshold bar) {
        return Result.of(
                        "line in to event out, %d streams, p%d"
                                .formatted(effort.sizes().streams(), percent),
                        percentiles(ours, percent),
                        bar)
                .against("without a server", percentiles(direct, percent));
    }

    private static Result disk(int percent, List<Samples> rounds) {
        String figure = "… of which one fsync of this disk alone, p" + percent;
        return Result.of(figure, percentiles(rounds, percent), new Threshold.Open());
    }

    private static RoundValues percentiles(List<Samples> rounds, int percent) {
        return RoundValues.millis(
                rounds.stream().map(samples -> samples.percentileMillis(percent)).toList());
    }

    private static String note(MeasurementEffort effort, LineArrivals arrivals, CpuUsage cpu) {
        return "%d line/s on each stream; %d of %d streams with data, %d gaps; %s"
                .formatted(
                        LineSourceProcess.LINES_PER_SECOND,
                        arrivals.streams(),
                        effort.sizes().streams(),
                        arrivals.gaps(),
                        cpu.show());
    }
}
