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
import java.util.List;
import java.util.Map;

/** The first turn of a server that has just started, beside later turns of the same server. */
public final class FirstTurnBenchmark implements Benchmark {
    private static final String MESSAGE = "/sh true";

    @Override
    public String name() {
        return "first-turn";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        List<Double> firsts = new ArrayList<>();
        List<Double> laters = new ArrayList<>();
        for (int round = 0; round < effort.rounds(); round++) {
            try (ServerProcess server = ServerProcess.start(place, Map.of());
                    TurnClient client = new TurnClient(server.url())) {
                String chat = client.newChat();
                firsts.add(client.turn(chat, MESSAGE).result() / 1e6);
                laters.add(later(client, chat, effort.samples()));
            }
        }
        return List.of(
                Result.of(
                                "first turn of " + MESSAGE + " after a start",
                                RoundValues.millis(firsts),
                                new Threshold.AtMostTimes(3))
                        .against("a later one", RoundValues.millis(laters)));
    }

    /** The median of the turns after as many others. */
    private static double later(TurnClient client, String chat, int turns)
            throws IOException, InterruptedException {
        for (int i = 0; i < turns; i++) {
            TurnClient.Times _ = client.turn(chat, MESSAGE);
        }
        Samples samples = new Samples();
        for (int i = 0; i < turns; i++) {
            samples.add(client.turn(chat, MESSAGE).result());
        }
        return samples.medianMillis();
    }
}
