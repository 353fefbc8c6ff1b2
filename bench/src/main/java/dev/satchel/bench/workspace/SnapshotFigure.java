package dev.satchel.bench.workspace;

import dev.satchel.bench.Effort;
import dev.satchel.bench.Figure;
import dev.satchel.bench.Peer;
import dev.satchel.bench.Place;
import dev.satchel.bench.TurnAbout;
import dev.satchel.bench.process.Api;
import dev.satchel.bench.process.Program;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Series;
import dev.satchel.bench.report.Unit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A snapshot of a large workspace of which little has changed, beside an archive of all of it. */
public final class SnapshotFigure implements Figure {
    private static final int ONE_IN_A_HUNDRED = 100;

    /** A server has kept some before, when somebody looks at how long it takes. */
    private static final int WARM_UP = 15;

    @Override
    public String name() {
        return "snapshot";
    }

    @Override
    public List<Result> measure(Effort effort, Place place) throws Exception {
        try (ServerProcess server = ServerProcess.start(place, Map.of());
                Api api = new Api(server.url());
                Bystander bystander = new Bystander(server.url())) {
            String chat = api.newChat();
            Tree tree = new Tree(server.workspace(chat), effort.sizes().files()).make();
            bystander.warmUp(effort.warmUp());
            List<Double> quiet = new ArrayList<>();
            List<Double> waits = new ArrayList<>();
            Turn turn = new Turn(api, chat, tree);
            double first = turn.take(); // all of it
            Result kept = againstArchive(effort, place, tree, turn);
            for (int round = 0; round < effort.dearRounds(); round++) {
                quiet.add(bystander.longestWaitDuring(() -> Thread.sleep((long) first)));
                tree.change(1, round); // every file is new, so that it takes its time
                waits.add(bystander.longestWaitDuring(turn::take));
            }
            return List.of(
                    kept,
                    Result.of(
                            "… the first one, of all files",
                            Series.millis(List.of(first)),
                            new Bar.Open()),
                    Result.of(
                                    "longest wait of another request during a snapshot",
                                    Series.millis(waits),
                                    new Bar.Below(50))
                            .against("without one", Series.millis(quiet)));
        }
    }

    private static Result againstArchive(Effort effort, Place place, Tree tree, Turn turn)
            throws Exception {
        String figure =
                String.format(Locale.ROOT, "snapshot of %,d files, 1 %% changed", tree.files());
        Optional<Path> tar = Peer.GZIP.find().flatMap(_ -> Peer.TAR.find());
        Path archive = place.fresh("tar").resolve("workspace.tar.gz");
        Program all = new Program(List.of("tar", "czf", archive.toString(), "."), tree.root());
        return new TurnAbout(
                        Unit.MILLISECONDS,
                        turn::changeAndTake,
                        "tar czf",
                        tar.isPresent() ? all::millis : null)
                .warmed(WARM_UP)
                .rounds(effort.rounds(), figure, new Bar.AtMostTimes(1.0 / 20));
    }

    /** The end of a turn: pausing a session keeps its workspace, and answers when it is kept. */
    private static final class Turn {
        private final Api api;
        private final String session;
        private final Tree tree;
        private long number;

        Turn(Api api, String chat, Tree tree) {
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
