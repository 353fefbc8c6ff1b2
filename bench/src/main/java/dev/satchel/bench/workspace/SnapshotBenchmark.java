package dev.satchel.bench.workspace;

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
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Threshold;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A snapshot of a large workspace of which little has changed, beside an archive of all of it. */
public final class SnapshotBenchmark implements Benchmark {
    private static final int ONE_IN_A_HUNDRED = 100;

    /** Warm-up: earlier snapshots exist in practice. */
    private static final int WARM_UP = 15;

    @Override
    public String name() {
        return "snapshot";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        try (ServerProcess server = ServerProcess.start(place, Map.of());
                ApiClient api = new ApiClient(server.url());
                ConcurrentClient client = new ConcurrentClient(server.url())) {
            String chat = api.newChat();
            SourceTree tree = new SourceTree(server.workspace(chat), effort.sizes().files()).make();
            client.warmUp(effort.warmUp());
            List<Double> quiet = new ArrayList<>();
            List<Double> waits = new ArrayList<>();
            Turn turn = new Turn(api, chat, tree);
            double first = turn.take(); // all of it
            Result kept = againstArchive(effort, place, tree, turn);
            for (int round = 0; round < effort.dearRounds(); round++) {
                quiet.add(client.longestWaitDuring(() -> Thread.sleep((long) first)));
                tree.change(1, round); // every file is new, so that it takes its time
                waits.add(client.longestWaitDuring(turn::take));
            }
            return List.of(
                    kept,
                    Result.of(
                            "… the first one, of all files",
                            RoundValues.millis(List.of(first)),
                            new Threshold.Open()),
                    Result.of(
                                    "longest wait of another request during a snapshot",
                                    RoundValues.millis(waits),
                                    new Threshold.Below(50))
                            .against("without one", RoundValues.millis(quiet)));
        }
    }

    private static Result againstArchive(
            MeasurementEffort effort, BenchmarkEnvironment place, SourceTree tree, Turn turn)
            throws Exception {
        String figure =
                String.format(Locale.ROOT, "snapshot of %,d files, 1 %% changed", tree.files());
        Optional<Path> tar = ReferenceProgram.GZIP.find().flatMap(_ -> ReferenceProgram.TAR.find());
        Path archive = place.fresh("tar").resolve("workspace.tar.gz");
        ExternalProgram all =
                new ExternalProgram(List.of("tar", "czf", archive.toString(), "."), tree.root());
        return new AlternatingRounds(
                        MeasurementUnit.MILLISECONDS,
                        turn::changeAndTake,
                        "tar czf",
                        tar.isPresent() ? all::millis : null)
                .warmed(WARM_UP)
                .rounds(effort.rounds(), figure, new Threshold.AtMostTimes(1.0 / 50));
    }

    /** The end of a turn: pausing a session keeps its workspace, and answers when it is kept. */
    private static final class Turn {
        private final ApiClient api;
        private final String session;
        private final SourceTree tree;
        private long number;

        Turn(ApiClient api, String chat, SourceTree tree) {
            this.api = api;
            this.session = "/api/sessions/" + chat;
            this.tree = tree;
        }

        double changeAndTake() throws Exception {
            tree.change(ONE_IN_A_HUNDRED, ++number);
            return take();
        }

        double take() throws Exception {
            long took = api.timed(api.posting(session + "/pause", Map.of()));
            api.post(session + "/resume", Map.of());
            return took / 1e6;
        }
    }
}
