package dev.satchel.bench.search;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.DurablePostgresql;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
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

/**
 * What people do most, among very many messages and among few: they list their chats, open one,
 * send a message and search.
 */
public final class SearchBenchmark implements Benchmark {
    private static final Threshold GROWTH = new Threshold.AtMostTimes(1.5);
    private static final Threshold SEARCH = new Threshold.Below(100);

    /** 45 pairs a second. */
    private static final Threshold LOAD = new Threshold.Below(1000.0 / 45);

    private static final int FEW_CHATS = 100;

    /** A turn takes much longer than a request. */
    private static final int REQUESTS_PER_TURN = 4;

    private interface Figure {
        double measure(FilledServer server, int samples) throws Exception;
    }

    @Override
    public String name() {
        return "search";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        List<Result> results = new ArrayList<>(onSqlite(effort, place));
        results.addAll(onPostgresql(effort, place));
        return results;
    }

    private static List<Result> onSqlite(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        Path large = data(place);
        Path small = data(place);
        try (Database many = Databases.sqlite(large.resolve("satchel.db"));
                Database few = Databases.sqlite(small.resolve("satchel.db"));
                FilledServer ofMany =
                        FilledServer.start(place, many, messages(effort), Map.of(), large);
                FilledServer ofFew =
                        FilledServer.start(place, few, messages(FEW_CHATS), Map.of(), small)) {
            return rows("SQLite", effort, ofMany, ofFew);
        }
    }

    private static List<Result> onPostgresql(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        DurablePostgresql first;
        try {
            first = DurablePostgresql.start();
        } catch (IOException | RuntimeException e) {
            String reason = "no PostgreSQL starts here: " + e;
            return List.of(
                    Result.notMeasured(figure("search", effort, "PostgreSQL"), SEARCH, reason));
        }
        try (DurablePostgresql large = first;
                DurablePostgresql small = DurablePostgresql.start();
                Database many = Databases.postgresql(large.url());
                Database few = Databases.postgresql(small.url());
                FilledServer ofMany =
                        FilledServer.start(
                                place, many, messages(effort), variables(large), data(place));
                FilledServer ofFew =
                        FilledServer.start(
                                place, few, messages(FEW_CHATS), variables(small), data(place))) {
            return rows("PostgreSQL", effort, ofMany, ofFew);
        }
    }

    private static Map<String, String> variables(DurablePostgresql server) {
        return Map.of("DATABASE_URL", server.url().toString());
    }

    private static Path data(BenchmarkEnvironment place) throws IOException {
        return Files.createDirectories(place.fresh("search").resolve("data"));
    }

    private static List<Result> rows(
            String kind, MeasurementEffort effort, FilledServer many, FilledServer few)
            throws Exception {
        int turns = Math.max(1, effort.samples() / REQUESTS_PER_TURN);
        return List.of(
                row("list of chats", kind, effort, many, few, GROWTH, FilledServer::list),
                row("opened chat", kind, effort, many, few, GROWTH, FilledServer::open),
                row(
                        "POST of a turn to its first event",
                        kind,
                        effort,
                        many,
                        few,
                        GROWTH,
                        (server, _) -> server.turn(turns)),
                row(
                        "search while 50 pairs of messages/s are written, p95",
                        kind,
                        effort,
                        many,
                        few,
                        SEARCH,
                        FilledServer::search),
                row(
                        "the same by a member with 100 of the chats, common words, p95",
                        kind,
                        effort,
                        many,
                        few,
                        SEARCH,
                        FilledServer::searchAsMember),
                load(kind, effort, many, few));
    }

    /** Whether the searches were measured under the load that the rows above name. */
    private static Result load(
            String kind, MeasurementEffort effort, FilledServer many, FilledServer few) {
        RoundValues values =
                new RoundValues(
                        MeasurementUnit.MILLISECONDS,
                        List.of(many.millisPerPair(), few.millisPerPair()));
        return Result.of(figure("time for each pair that was written", effort, kind), values, LOAD)
                .noting("50 pairs/s are one in 20 ms");
    }

    private static Result row(
            String what,
            String kind,
            MeasurementEffort effort,
            FilledServer many,
            FilledServer few,
            Threshold bar,
            Figure figure)
            throws Exception {
        return new AlternatingRounds(
                        MeasurementUnit.MILLISECONDS,
                        () -> figure.measure(many, effort.samples()),
                        String.format(Locale.ROOT, "%,d in %d", messages(FEW_CHATS), FEW_CHATS),
                        () -> figure.measure(few, effort.samples()))
                .rounds(effort.rounds(), figure(what, effort, kind), bar);
    }

    private static int messages(int chats) {
        return chats * MessageRows.MESSAGES_OF_CHAT;
    }

    private static int messages(MeasurementEffort effort) {
        return messages(chats(effort));
    }

    /** Of the quick form a tenth. */
    private static int chats(MeasurementEffort effort) {
        int chats = effort.sizes().chats();
        return effort.extras() ? chats : Math.ceilDiv(chats, 10);
    }

    private static String figure(String what, MeasurementEffort effort, String kind) {
        return String.format(
                Locale.ROOT,
                "%s: %,d messages in %,d chats, %s",
                what,
                messages(effort),
                chats(effort),
                kind);
    }
}
