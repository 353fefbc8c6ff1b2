package dev.satchel.bench.stream;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ApiClient;
import dev.satchel.bench.process.ChildProcess;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The cost of idle streams: active runs with many readers each. */
public final class IdleStreamsBenchmark implements Benchmark {
    @Override
    public String name() {
        return "idle-streams";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        int runs = effort.sizes().idle().runs();
        int perRun = effort.sizes().idle().readersPerRun();
        try (ChildProcess source = LineSourceProcess.start(place);
                ServerProcess server =
                        ServerProcess.start(
                                place,
                                Map.of(
                                        "SANDBOX_URL",
                                        "http://127.0.0.1:" + source.ready(),
                                        "SATCHEL_MAX_RUNS",
                                        "10000"));
                ApiClient api = new ApiClient(server.url());
                StreamReaders readers = new StreamReaders()) {
            double empty = server.memory().resident();
            int port = server.url().getPort();
            List<String> chats = new ArrayList<>();
            for (int i = 0; i < runs; i++) {
                String chat = api.newChat();
                chats.add(chat);
                readers.open(
                        1, port, RawRequests.post("/api/assistant/chat/stream", message(chat)));
            }
            int tenth = Math.max(1, perRun / 10);
            follow(readers, port, chats, tenth - 1);
            double few = server.memory().resident();
            follow(readers, port, chats, perRun - tenth);
            double many = server.memory().resident();
            int more = (perRun - tenth) * runs;
            List<Result> results =
                    List.of(
                            Result.of(
                                            String.format(
                                                    Locale.ROOT,
                                                    "%,d idle streams open: resident",
                                                    runs * perRun),
                                            megabytes(many),
                                            new Threshold.Below(250, MeasurementUnit.MEGABYTES))
                                    .noting(
                                            "%d runs in flight, each followed by %d readers; %d streams with data"
                                                    .formatted(runs, perRun, readers.answered())),
                            Result.of(
                                            "… per 1,000 streams, from a tenth of them to all",
                                            megabytes(1_000 * (many - few) / more),
                                            new Threshold.Open())
                                    .against(
                                            "from none to a tenth, with their runs",
                                            megabytes(1_000 * (few - empty) / (tenth * runs))));
            server.kill();
            return results;
        }
    }

    private static String message(String chat) {
        return "{\"message\":\"Wait.\",\"chatId\":\"%s\"}".formatted(chat);
    }

    private static void follow(StreamReaders readers, int port, List<String> chats, int times)
            throws IOException, InterruptedException {
        for (String chat : chats) {
            readers.open(times, port, RawRequests.get("/api/assistant/chats/" + chat + "/stream"));
        }
    }

    private static RoundValues megabytes(double value) {
        return new RoundValues(MeasurementUnit.MEGABYTES, List.of(Math.max(0, value)));
    }
}
