package dev.satchel.bench.storage;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A server with many runs that wait for people, beside one whose runs have all ended. */
public final class WaitingRunsBenchmark implements Benchmark {
    private static final Threshold BAR = new Threshold.AtMostTimes(1.05);
    private static final String ANCHOR = "all ended";

    @Override
    public String name() {
        return "waiting";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        int runs = effort.sizes().waitingRuns();
        Path waiting = filled(place, runs);
        new ChatRows(waiting).letWait();
        Path ended = filled(place, runs);
        List<Started> ours = new ArrayList<>();
        List<Started> anchor = new ArrayList<>();
        for (int round = 0; round <= effort.rounds(); round++) { // the first is a warm-up
            ours.add(start(place, waiting, effort.window()));
            anchor.add(start(place, ended, effort.window()));
        }
        String with = String.format(Locale.ROOT, "with %,d waiting runs", runs);
        return List.of(
                Result.of("start " + with, times(ours), BAR).against(ANCHOR, times(anchor)),
                Result.of("resident " + with, sizes(ours), BAR).against(ANCHOR, sizes(anchor)));
    }

    private static Path filled(BenchmarkEnvironment place, int chats) throws IOException {
        Path data = place.fresh("waiting").resolve("data");
        List<String> _ = new ChatRows(data).fill(chats);
        return data;
    }

    private record Started(double millis, double resident) {}

    /** The memory is that after the server has been idle for some time. */
    private static Started start(BenchmarkEnvironment place, Path data, Duration idle)
            throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (ServerProcess server = ServerProcess.start(place, Map.of(), data);
                ApiClient api = new ApiClient(server.url())) {
            api.get("/livez");
            double millis = (System.nanoTime() - start) / 1e6;
            Thread.sleep(idle);
            return new Started(millis, server.memory().resident());
        }
    }

    private static RoundValues times(List<Started> rounds) {
        return RoundValues.millis(counted(rounds).stream().map(Started::millis).toList());
    }

    private static RoundValues sizes(List<Started> rounds) {
        return new RoundValues(
                MeasurementUnit.MEGABYTES,
                counted(rounds).stream().map(Started::resident).toList());
    }

    private static List<Started> counted(List<Started> rounds) {
        return rounds.subList(1, rounds.size());
    }
}
