package dev.satchel.bench.upload;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.RawHttpConnection;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Threshold;
import dev.satchel.bench.turn.TurnClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A turn in a conversation with many unchanged files beside one in a conversation without. */
public final class BagTurnBenchmark implements Benchmark {
    private static final int FILES = 1_000;

    /** Without a comparison of all files, which the offline agent makes for its report only. */
    private static final String MESSAGE = "/sleep 0";

    @Override
    public String name() {
        return "bag-turn";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        Path file = Files.writeString(place.fresh("bag-turn").resolve("small.csv"), "a,b\n1,2\n");
        try (ServerProcess server = ServerProcess.start(place, UploadServer.UNLIMITED);
                TurnClient client = new TurnClient(server.url())) {
            String empty = client.newChat();
            String full = client.newChat();
            fill(server.url().getPort(), full, file);
            double _ = turns(client, empty, effort.warmUp());
            return List.of(
                    new AlternatingRounds(
                                    MeasurementUnit.MILLISECONDS,
                                    () -> turns(client, full, effort.samples()),
                                    "without files",
                                    () -> turns(client, empty, effort.samples()))
                            .warmed(1)
                            .rounds(
                                    effort.rounds(),
                                    "turn: POST to result with 1,000 files in the bag, p50",
                                    new Threshold.AtMostTimes(1.2)));
        }
    }

    private static void fill(int port, String chat, Path file) throws IOException {
        try (RawHttpConnection wire = new RawHttpConnection(port)) {
            for (int i = 0; i < FILES; i++) {
                String _ =
                        wire.upload(
                                "/api/assistant/chats/" + chat + "/files",
                                file,
                                "file-" + i + ".csv");
            }
        }
    }

    private static double turns(TurnClient client, String chat, int count)
            throws IOException, InterruptedException {
        Samples samples = new Samples();
        for (int i = 0; i < count; i++) {
            samples.add(client.turn(chat, MESSAGE).result());
        }
        return samples.medianMillis();
    }
}
