package dev.satchel.bench.turn;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The processor time of the server for a turn, beside that of the programs of its sandbox. */
public final class TurnCostBenchmark implements Benchmark {
    private static final String MESSAGE = "/sh true";

    @Override
    public String name() {
        return "turn-cost";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        List<Double> own = new ArrayList<>();
        List<Double> sandboxes = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(place, Map.of());
                TurnClient client = new TurnClient(server.url())) {
            String chat = client.newChat();
            send(client, chat, effort.warmUp());
            for (int round = 0; round < effort.rounds(); round++) {
                Duration ownBefore = server.cpu();
                Duration sandboxBefore = server.cpuOfEndedChildren();
                send(client, chat, effort.samples());
                own.add(each(server.cpu().minus(ownBefore), effort));
                sandboxes.add(each(server.cpuOfEndedChildren().minus(sandboxBefore), effort));
            }
        }
        return List.of(
                Result.of(
                                "processor time of the server, a turn of " + MESSAGE,
                                RoundValues.millis(own),
                                new Threshold.AtMostTimes(1.2))
                        .against("its sandbox", RoundValues.millis(sandboxes)));
    }

    private static void send(TurnClient client, String chat, int turns)
            throws IOException, InterruptedException {
        for (int i = 0; i < turns; i++) {
            TurnClient.Times _ = client.turn(chat, MESSAGE);
        }
    }

    private static double each(Duration all, MeasurementEffort effort) {
        return all.toNanos() / 1e6 / effort.samples();
    }
}
