package dev.satchel.bench.turn;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.append.ThreadFactory;
import dev.satchel.bench.process.DurablePostgresql;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Threshold;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Turns in a long thread with many branches against one with few, turn about. */
public final class BranchedTurnBenchmark implements Benchmark {
    private static final Threshold BAR = new Threshold.AtMostTimes(1.2);
    private static final String MESSAGE = "/sh true";
    private static final int MANY = 100;
    private static final int FEW = 10;

    /** An edit goes back by a question and its answer. */
    private static final int EDITED = 2;

    @Override
    public String name() {
        return "branched-turn";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException, InterruptedException {
        List<Result> results = new ArrayList<>();
        Path data = Files.createDirectory(place.fresh("branches").resolve("data"));
        Threads onSqlite;
        try (Database sqlite = Databases.sqlite(data.resolve("satchel.db"))) {
            onSqlite = Threads.make(sqlite, effort);
        }
        try (ServerProcess server = ServerProcess.start(place, Map.of(), data)) {
            results.addAll(measure("SQLite", server, onSqlite, effort));
        }
        results.addAll(onPostgresql(effort, place));
        return results;
    }

    /** The ids of two threads. */
    private record Threads(String many, String few) {
        static Threads make(Database database, MeasurementEffort effort) {
            int messages = effort.sizes().longThread();
            int most = messages / 2;
            ThreadFactory threads = new ThreadFactory(database);
            return new Threads(
                    threads.makeBranched(messages, Math.min(MANY, most)).value(),
                    threads.makeBranched(messages, Math.min(FEW, most)).value());
        }
    }

    private static List<Result> onPostgresql(MeasurementEffort effort, BenchmarkEnvironment place)
            throws InterruptedException {
        try (DurablePostgresql postgresql = DurablePostgresql.start()) {
            Threads threads;
            try (Database database = Databases.postgresql(postgresql.url())) {
                threads = Threads.make(database, effort);
            }
            Map<String, String> variables = Map.of("DATABASE_URL", postgresql.url().toString());
            try (ServerProcess server = ServerProcess.start(place, variables)) {
                return measure("PostgreSQL", server, threads, effort);
            }
        } catch (IOException | RuntimeException e) {
            return List.of(
                    Result.notMeasured(
                            figure("turn", "PostgreSQL", effort),
                            BAR,
                            "no PostgreSQL starts here: " + e));
        }
    }

    private static List<Result> measure(
            String kind, ServerProcess server, Threads threads, MeasurementEffort effort)
            throws IOException, InterruptedException {
        Pair turns = new Pair();
        Pair edits = new Pair();
        try (TurnClient client = new TurnClient(server.url())) {
            for (int i = 0; i < effort.warmUp() / 2; i++) {
                client.turn(threads.many(), MESSAGE);
                client.turn(threads.few(), MESSAGE);
            }
            for (int round = -1; round < effort.rounds(); round++) { // the first one warms up
                for (int i = 0; i < effort.samples(); i++) {
                    boolean manyFirst = i % 2 == 0;
                    String first = manyFirst ? threads.many() : threads.few();
                    String second = manyFirst ? threads.few() : threads.many();
                    turns.add(
                            manyFirst,
                            client.turn(first, MESSAGE).result(),
                            client.turn(second, MESSAGE).result());
                }
                edits.add(
                        round % 2 == 0,
                        edit(client, round % 2 == 0 ? threads.many() : threads.few()),
                        edit(client, round % 2 == 0 ? threads.few() : threads.many()));
                turns.end(round >= 0);
                edits.end(round >= 0);
            }
        }
        String few = "with " + FEW;
        return List.of(
                turns.row(figure("turn", kind, effort), BAR, few),
                edits.row(figure("… an edit", kind, effort), new Threshold.Open(), few));
    }

    /** Once in a round, since it adds a branch. */
    private static long edit(TurnClient client, String chat)
            throws IOException, InterruptedException {
        return client.edit(chat, client.messageBefore(chat, EDITED), MESSAGE).result();
    }

    /** Samples of both threads, and the medians of the rounds so far. */
    private static final class Pair {
        private final List<Double> ours = new ArrayList<>();
        private final List<Double> anchor = new ArrayList<>();
        private Samples ofMany = new Samples();
        private Samples ofFew = new Samples();

        void add(boolean manyFirst, long first, long second) {
            ofMany.add(manyFirst ? first : second);
            ofFew.add(manyFirst ? second : first);
        }

        void end(boolean counts) {
            if (counts) {
                ours.add(ofMany.medianMillis());
                anchor.add(ofFew.medianMillis());
            }
            ofMany = new Samples();
            ofFew = new Samples();
        }

        Result row(String figure, Threshold bar, String anchorName) {
            return Result.of(figure, RoundValues.millis(ours), bar)
                    .against(anchorName, RoundValues.millis(anchor));
        }
    }

    private static String figure(String what, String kind, MeasurementEffort effort) {
        return String.format(
                Locale.ROOT,
                "%s at %,d messages, %d branches, %s, p50",
                what,
                effort.sizes().longThread(),
                MANY,
                kind);
    }
}
