package dev.satchel.bench.turn;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.ReferenceProgram;
import dev.satchel.bench.process.ApiClient;
import dev.satchel.bench.process.ExternalProgram;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Threshold;
import java.io.IOException;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The outputs of a run on their way from its workspace to the bag, beside a copy of the same files
 * with tar that is flushed and followed by as many synchronous writes as the hand-over has commits.
 */
public final class HandOverBenchmark implements Benchmark {
    private static final int FILES = 1_000;
    private static final int FILE_BYTES = 4_096;

    /** The batches of names, the files themselves and the token. */
    private static final int COMMITS = 6;

    private static final String COMMAND =
            "/sh mkdir assets && cd assets && head -c %d /dev/urandom | split -b %d -a 4 -"
                    .formatted(FILES * FILE_BYTES, FILE_BYTES);

    private static final Pattern DURATION =
            Pattern.compile("phase=writeback outcome=done durationMs=([0-9]+)");

    @Override
    public String name() {
        return "hand-over";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        Path folder = place.fresh("hand-over");
        Path source = Files.createDirectory(folder.resolve("source"));
        byte[] content = new byte[FILE_BYTES];
        Random random = new Random(FILES);
        for (int i = 0; i < FILES; i++) {
            random.nextBytes(content);
            Files.write(source.resolve("file-" + i), content);
        }
        String copy =
                "rm -rf copy && mkdir copy && tar c -C source . | tar x -C copy && sync -f copy"
                        + " && dd if=/dev/zero of=commits bs=4096 count=%d oflag=dsync 2>/dev/null"
                                .formatted(COMMITS);
        ExternalProgram tar = new ExternalProgram(List.of("sh", "-c", copy), folder);
        boolean hasTar = ReferenceProgram.TAR.find().isPresent();
        try (ServerProcess server = ServerProcess.start(place, Map.of());
                ApiClient api = new ApiClient(server.url());
                TurnClient turns = new TurnClient(server.url())) {
            return List.of(
                    new AlternatingRounds(
                                    MeasurementUnit.MILLISECONDS,
                                    () -> handOver(turns, api),
                                    "tar c | tar x and commits",
                                    hasTar ? tar::millis : null)
                            .rounds(
                                    effort.rounds(),
                                    "hand over 1,000 files of 4 KB",
                                    new Threshold.AtMostTimes(2)));
        }
    }

    /** As the runner measures it, which ends when the server has answered. */
    private static double handOver(TurnClient turns, ApiClient api)
            throws IOException, InterruptedException {
        String chat = turns.newChat();
        TurnClient.Times _ = turns.turn(chat, COMMAND);
        String run = api.get("/api/assistant/chats/" + chat).at("/messages/1/runId").stringValue();
        String trace =
                api.send(
                                api.request("/api/runs/" + run + "/trace").build(),
                                BodyHandlers.ofString())
                        .body();
        Matcher duration = DURATION.matcher(trace);
        if (!duration.find()) {
            throw new IOException("the trace of a run has no write-back");
        }
        return Double.parseDouble(duration.group(1));
    }
}
