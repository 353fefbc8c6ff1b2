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
import dev.satchel.bench.turn.TurnClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the data folder has of many turns, and what is left when their chats are deleted. */
public final class StoredTurnsBenchmark implements Benchmark {
    private static final int CHATS = 20;
    private static final double KILOBYTES_PER_MEGABYTE = 1_000;

    @Override
    public String name() {
        return "stored-turns";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        DataFolder folder = new DataFolder(place.fresh("turns").resolve("data"));
        DataFolder empty = new DataFolder(place.fresh("empty").resolve("data"));
        empty.sweep();
        int turns = effort.sizes().storedTurns();
        List<String> chats = send(place, folder, turns);
        double each = (folder.megabytes() - empty.megabytes()) * KILOBYTES_PER_MEGABYTE / turns;
        delete(place, folder, chats);
        folder.sweep();
        return List.of(
                Result.of(
                        String.format(Locale.ROOT, "data folder after %,d turns, each", turns),
                        new RoundValues(MeasurementUnit.KILOBYTES, List.of(each)),
                        new Threshold.Below(20, MeasurementUnit.KILOBYTES)),
                Result.of(
                                "… and when their chats are deleted",
                                folder.size(),
                                new Threshold.AtMostTimes(1.1))
                        .against("an empty server", empty.size()));
    }

    /** The server is stopped afterwards, so that nothing is written any more. */
    private static List<String> send(BenchmarkEnvironment place, DataFolder folder, int turns)
            throws IOException, InterruptedException {
        List<String> chats = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(place, Map.of(), folder.path());
                TurnClient client = new TurnClient(server.url())) {
            for (int i = 0; i < turns; i++) {
                if (i < CHATS) {
                    chats.add(client.newChat());
                }
                TurnClient.Times _ = client.turn(chats.get(i % CHATS), "/sh true");
            }
        }
        return chats;
    }

    private static void delete(BenchmarkEnvironment place, DataFolder folder, List<String> chats)
            throws IOException, InterruptedException {
        try (ServerProcess server = ServerProcess.start(place, Map.of(), folder.path());
                ApiClient api = new ApiClient(server.url())) {
            for (String chat : chats) {
                api.delete("/api/assistant/chats/" + chat);
            }
        }
    }
}
