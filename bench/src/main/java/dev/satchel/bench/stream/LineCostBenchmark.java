package dev.satchel.bench.stream;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.DataSizes;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ChildProcess;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a streamed line costs the server: processor time, beside a proxy that only passes the same
 * lines on, and bytes written to disk.
 */
public final class LineCostBenchmark implements Benchmark {
    private static final int LINE_BYTES = 150;
    private static final String PROXIED = "/proxied";

    /** The path that a server asks a runner for. */
    private static final String SERVED = "/stream";

    private static final int MOST_WARM_UPS = 10;

    private static final Duration BETWEEN_WINDOWS = Duration.ofMillis(500);

    @Override
    public String name() {
        return "line-cost";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        DataSizes.Lines lines = effort.sizes().lines();
        List<Result> results = new ArrayList<>();
        results.addAll(
                load(
                        effort,
                        place,
                        lines.manyRuns(),
                        new Threshold.AtMostTimes(1.5),
                        new Threshold.Open()));
        results.addAll(
                load(
                        effort,
                        place,
                        lines.fewRuns(),
                        new Threshold.Open(),
                        new Threshold.Below(1_000, MeasurementUnit.BYTES)));
        return results;
    }

    private static List<Result> load(
            MeasurementEffort effort,
            BenchmarkEnvironment place,
            int runs,
            Threshold processorBar,
            Threshold diskBar)
            throws IOException, InterruptedException {
        int perSecond = effort.sizes().lines().perSecond();
        List<Double> server = new ArrayList<>();
        List<Double> proxy = new ArrayList<>();
        List<Double> written = new ArrayList<>();
        try (OpenStreams streams = OpenStreams.open(place, runs, perSecond)) {
            streams.warmUp(runs, effort.window());
            for (int round = 0; round < effort.dearRounds(); round++) {
                Cost ours = streams.ofServer(effort.window());
                server.add(ours.micros());
                written.add(ours.bytes());
                proxy.add(streams.ofProxy(effort.window()).micros());
            }
        }
        String load = "%d runs × %d lines/s".formatted(runs, perSecond);
        return List.of(
                Result.of(
                                "processor time of a line, " + load + ", SQLite",
                                new RoundValues(MeasurementUnit.MICROSECONDS, server),
                                processorBar)
                        .against(
                                "a bare Vert.x proxy",
                                new RoundValues(MeasurementUnit.MICROSECONDS, proxy)),
                Result.of(
                        "… and written to disk, a line of %d bytes".formatted(LINE_BYTES),
                        new RoundValues(MeasurementUnit.BYTES, written),
                        diskBar));
    }

    /** Of one line. */
    private record Cost(double micros, double bytes) {}

    /** The same number of streams through the server and through the proxy. */
    private record OpenStreams(
            ChildProcess source,
            ChildProcess proxy,
            ServerProcess server,
            StreamReaders served,
            StreamReaders proxied)
            implements AutoCloseable {
        static OpenStreams open(BenchmarkEnvironment place, int runs, int perSecond)
                throws IOException, InterruptedException {
            ChildProcess source = LineSourceProcess.start(place, perSecond, LINE_BYTES);
            int sourcePort = Integer.parseInt(source.ready());
            ChildProcess proxy = VertxProxyProcess.start(place, sourcePort);
            ServerProcess server =
                    ServerProcess.start(
                            place,
                            Map.of(
                                    "SANDBOX_URL",
                                    "http://127.0.0.1:" + sourcePort,
                                    "SATCHEL_MAX_RUNS",
                                    "10000"));
            OpenStreams streams =
                    new OpenStreams(
                            source, proxy, server, new StreamReaders(), new StreamReaders());
            String message = "{\"message\":\"Talk to me.\",\"onDisconnect\":\"cancel\"}";
            streams.served.open(
                    runs,
                    server.url().getPort(),
                    RawRequests.post("/api/assistant/chat/stream", message));
            streams.proxied.open(
                    runs, Integer.parseInt(proxy.ready()), RawRequests.post(PROXIED, ""));
            return streams;
        }

        Cost ofServer(Duration length) throws IOException, InterruptedException {
            Duration cpu = server.cpu();
            long bytes = server.writtenBytes();
            long lines = play(SERVED, length, served);
            return new Cost(
                    micros(server.cpu().minus(cpu), lines),
                    (double) (server.writtenBytes() - bytes) / lines);
        }

        Cost ofProxy(Duration length) throws IOException, InterruptedException {
            Duration cpu = proxy.cpu();
            long lines = play(PROXIED, length, proxied);
            return new Cost(micros(proxy.cpu().minus(cpu), lines), 0);
        }

        /** Until every run of the server has been dispatched to the source. */
        void warmUp(int runs, Duration length) throws IOException, InterruptedException {
            for (int i = 0; i < MOST_WARM_UPS && served.arrivals().streams() < runs; i++) {
                long _ = play(SERVED, length.multipliedBy(2), served);
            }
            long _ = play(PROXIED, length, proxied);
        }

        /** Returns how many lines have arrived. */
        private long play(String path, Duration length, StreamReaders readers)
                throws IOException, InterruptedException {
            long before = readers.arrivals().count();
            source.tell(path);
            Thread.sleep(length);
            source.tell("nobody");
            Thread.sleep(BETWEEN_WINDOWS); // the last lines arrive and are paid for
            return readers.arrivals().count() - before;
        }

        private static double micros(Duration all, long lines) throws IOException {
            if (lines == 0) {
                throw new IOException("no line has arrived");
            }
            return all.toNanos() / 1e3 / lines;
        }

        @Override
        public void close() throws IOException {
            served.close();
            proxied.close();
            try {
                server.kill();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            proxy.close();
            source.close();
        }
    }
}
