package dev.satchel.bench.workspace;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ApiClient;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Threshold;
import dev.satchel.bench.turn.TurnClient;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A large workspace goes back to earlier files of which few differ, by a restore and by a switch of
 * branches, beside unpacking all of them.
 */
public final class RestoreBenchmark implements Benchmark {
    private static final int ONE_IN_A_HUNDRED = 100;
    private static final int WARM_UP = 10;

    /** The times of files that are younger are not trusted. */
    private static final long SETTLED_MILLIS = 1_100;

    @Override
    public String name() {
        return "restore";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        try (ServerProcess server = ServerProcess.start(place, Map.of());
                ApiClient api = new ApiClient(server.url());
                TurnClient turns = new TurnClient(server.url())) {
            String chat = api.newChat();
            SourceTree tree = new SourceTree(server.workspace(chat), effort.sizes().files()).make();
            turns.turn(chat, "/sh touch one");
            tree.change(ONE_IN_A_HUNDRED, 1);
            turns.turn(chat, "/sh touch two");
            Workspace workspace = new Workspace(api, chat);
            return List.of(
                    rows(effort, "restore", tree, new Restore(workspace)),
                    rows(effort, "switch", tree, new Switch(workspace)));
        }
    }

    private static Result rows(MeasurementEffort effort, String what, SourceTree tree, Move move)
            throws Exception {
        String figure =
                String.format(Locale.ROOT, "%s of %,d files, 1 %% differ", what, tree.files());
        return new AlternatingRounds(
                        MeasurementUnit.MILLISECONDS,
                        () -> millis(move.workspace().api().timed(move.next())),
                        "unpacking all",
                        () -> unpackAll(move))
                .warmed(WARM_UP)
                .rounds(effort.rounds(), figure, new Threshold.AtMostTimes(0.1));
    }

    /** The same move without a live workspace, until all files are there. */
    private static double unpackAll(Move move) throws Exception {
        Workspace workspace = move.workspace();
        workspace.evict();
        long moved = workspace.api().timed(move.next());
        double took = millis(moved + workspace.api().timed(workspace.resuming()));
        workspace.save();
        return took;
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    /** A session whose workspace can be removed. */
    private record Workspace(ApiClient api, String chat) {
        String session() {
            return "/api/sessions/" + chat;
        }

        void evict() throws IOException, InterruptedException {
            JsonNode _ = api.post(session() + "/stop", Map.of());
        }

        /** So that no measured request has to read all files again, which have just been made. */
        void save() throws IOException, InterruptedException {
            Thread.sleep(SETTLED_MILLIS);
            JsonNode _ = api.post(session() + "/pause", Map.of());
            JsonNode _ = api.post(session() + "/resume", Map.of());
        }

        /** Restores the whole workspace first. */
        HttpRequest resuming() {
            return api.posting(session() + "/resume", Map.of());
        }

        List<JsonNode> list(String path, String name) throws IOException, InterruptedException {
            return api.get(path).get(name).valueStream().toList();
        }
    }

    /** Goes to and fro between two states. */
    private sealed interface Move {
        Workspace workspace();

        /** The request that goes to the other state. */
        HttpRequest next() throws IOException, InterruptedException;
    }

    /** Undoes the last change. */
    private record Restore(Workspace workspace) implements Move {
        @Override
        public HttpRequest next() throws IOException, InterruptedException {
            List<JsonNode> snapshots =
                    workspace.list(workspace.session() + "/snapshots", "snapshots");
            int newest = 0;
            while (isRepeated(snapshots.get(newest))) {
                newest++;
            }
            String before = snapshots.get(newest + 1).get("id").stringValue();
            String path = workspace.session() + "/restore";
            return workspace.api().posting(path, Map.of("snapshot", before));
        }

        private static boolean isRepeated(JsonNode snapshot) {
            return Stream.of("added", "changed", "removed")
                    .allMatch(count -> snapshot.get(count).asInt(0) == 0);
        }
    }

    private static final class Switch implements Move {
        private final Workspace workspace;
        private final String chat;
        private final List<String> answers;
        private int done;

        Switch(Workspace workspace) throws IOException, InterruptedException {
            this.workspace = workspace;
            this.chat = "/api/assistant/chats/" + workspace.chat();
            List<JsonNode> messages = workspace.list(chat, "messages");
            this.answers =
                    List.of(messages.get(3), messages.get(1)).stream()
                            .map(message -> message.get("id").stringValue())
                            .toList();
        }

        @Override
        public Workspace workspace() {
            return workspace;
        }

        @Override
        public HttpRequest next() {
            String id = answers.get(++done % 2);
            return workspace.api().posting(chat + "/head", Map.of("messageId", id, "exact", true));
        }
    }
}
