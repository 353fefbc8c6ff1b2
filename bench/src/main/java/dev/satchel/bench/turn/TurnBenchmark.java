package dev.satchel.bench.turn;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** An empty turn on a warm server with its own runner, alternating with a ping. */
public final class TurnBenchmark implements Benchmark {
    private static final String MESSAGE = "/sh true";
    private static final int WARMING = 4;

    @Override
    public String name() {
        return "turn";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        List<Double> pings = new ArrayList<>();
        List<Double> firsts = new ArrayList<>();
        List<Double> steps = new ArrayList<>();
        List<Double> results = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(place, Map.of());
                TurnClient client = new TurnClient(server.url())) {
            warmUp(client, effort.warmUp());
            for (int round = 0; round < effort.rounds(); round++) {
                Samples ping = new Samples();
                Samples first = new Samples();
                Samples step = new Samples();
                Samples result = new Samples();
                String chat = client.newChat();
                for (int i = 0; i < effort.samples(); i++) {
                    ping.add(client.ping());
                    TurnClient.Times times = client.turn(chat, MESSAGE);
                    first.add(times.first());
                    step.add(times.step());
                    result.add(times.result());
                }
                pings.add(ping.medianMillis());
                firsts.add(first.medianMillis());
                steps.add(step.medianMillis());
                results.add(result.medianMillis());
            }
        }
        RoundValues ping = RoundValues.millis(pings);
        return List.of(
                row("POST to first event", firsts, new Threshold.Below(15), ping),
                row(
                        "POST to first step, sandbox open",
                        steps,
                        new Threshold.Both(new Threshold.Below(15), new Threshold.AtMostTimes(8)),
                        ping),
                row("POST to result of " + MESSAGE, results, new Threshold.Open(), ping));
    }

    /** In a few conversations at once, to save time. */
    private static void warmUp(TurnClient client, int turns)
            throws IOException, InterruptedException {
        Callable<Boolean> some = () -> warmUpOne(client, turns / WARMING);
        try (ExecutorService threads = Executors.newFixedThreadPool(WARMING)) {
            for (Future<Boolean> done : threads.invokeAll(Collections.nCopies(WARMING, some))) {
                boolean _ = done.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("a turn failed", e.getCause());
        }
    }

    private static boolean warmUpOne(TurnClient client, int turns)
            throws IOException, InterruptedException {
        String chat = client.newChat();
        for (int i = 0; i < turns; i++) {
            client.turn(chat, MESSAGE);
            client.ping();
        }
        return true;
    }

    private static Result row(String what, List<Double> rounds, Threshold bar, RoundValues ping) {
        return Result.of("turn: " + what + ", p50", RoundValues.millis(rounds), bar)
                .against("GET /livez", ping);
    }
}
