package dev.satchel.bench.start;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ApiClient;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** From {@code ./satchel serve} to the first answer, and what the server holds then. */
public final class StartBenchmark implements Benchmark {
    private static final Duration SETTLING = Duration.ofSeconds(6);

    /** JVM options in addition to the launcher's; the AOT cache requires the same options. */
    private enum Options {
        AS_IT_IS("", ""),
        NO_CACHE("no AOT cache", "-XX:AOTMode=off"),
        NO_COMPACT_HEADERS("nor compact headers", "-XX:AOTMode=off -XX:-UseCompactObjectHeaders"),
        G1("nor the serial collector", "-XX:AOTMode=off -XX:-UseSerialGC -XX:+UseG1GC"),
        NO_RECORDER("without the flight recorder", "-Djfr.unsupported.vm=true");

        private final String words;
        private final String flags;

        Options(String words, String flags) {
            this.words = words;
            this.flags = flags;
        }
    }

    @Override
    public String name() {
        return "start";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        Map<Options, List<Started>> all = new EnumMap<>(Options.class);
        double idle = idle(place); // and warms the disk's cache
        for (int round = 0; round < effort.rounds(); round++) {
            for (Options options : options(effort)) {
                if (round < rounds(options, effort)) {
                    all.computeIfAbsent(options, _ -> new ArrayList<>())
                            .add(start(place, options.flags));
                }
            }
        }
        List<Result> results = new ArrayList<>();
        Threshold soon = new Threshold.Below(600);
        for (Options other : options(effort)) {
            if (other == Options.AS_IT_IS) {
                continue;
            }
            boolean first = other == Options.NO_CACHE;
            results.add(
                    Result.of(
                                    "start to first 200",
                                    times(all, Options.AS_IT_IS),
                                    first ? soon : new Threshold.Open())
                            .against(other.words, times(all, other)));
            results.add(
                    Result.of(
                                    "… and resident then",
                                    sizes(all, Options.AS_IT_IS),
                                    new Threshold.Open())
                            .against(other.words, sizes(all, other)));
        }
        results.add(
                Result.of(
                        "… and resident when idle",
                        new RoundValues(MeasurementUnit.MEGABYTES, List.of(idle)),
                        new Threshold.Below(150, MeasurementUnit.MEGABYTES)));
        return results;
    }

    /** After the memory of the start has been returned, which happens every five seconds. */
    private static double idle(BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start(place, Map.of())) {
            Thread.sleep(SETTLING);
            return server.memory().resident();
        }
    }

    private static Set<Options> options(MeasurementEffort effort) {
        return effort.extras()
                ? EnumSet.allOf(Options.class)
                : EnumSet.of(Options.AS_IT_IS, Options.NO_CACHE);
    }

    /** All but the first two show the effect of single options. */
    private static int rounds(Options options, MeasurementEffort effort) {
        return options == Options.AS_IT_IS || options == Options.NO_CACHE
                ? effort.rounds()
                : effort.dearRounds();
    }

    private record Started(double millis, double resident) {}

    private static Started start(BenchmarkEnvironment place, String options)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (ServerProcess server =
                        ServerProcess.start(place, Map.of("SATCHEL_JAVA_OPTIONS", options));
                ApiClient api = new ApiClient(server.url())) {
            api.get("/livez");
            return new Started((System.nanoTime() - start) / 1e6, server.memory().resident());
        }
    }

    private static RoundValues times(Map<Options, List<Started>> all, Options options) {
        List<Started> rounds = all.getOrDefault(options, List.of());
        return RoundValues.millis(rounds.stream().map(Started::millis).toList());
    }

    private static RoundValues sizes(Map<Options, List<Started>> all, Options options) {
        List<Started> rounds = all.getOrDefault(options, List.of());
        return new RoundValues(
                MeasurementUnit.MEGABYTES, rounds.stream().map(Started::resident).toList());
    }
}
