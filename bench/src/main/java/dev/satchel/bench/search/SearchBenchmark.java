package dev.satchel.bench.search;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ApiClient;
import dev.satchel.bench.process.DurablePostgresql;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Threshold;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/** Searches among very many messages while turns are written. */
public final class SearchBenchmark implements Benchmark {
    private static final Threshold BAR = new Threshold.Below(100);
    private static final int MESSAGES_PER_CHAT = 10;
    private static final long NANOS_PER_TURN = 1_000_000_000L / 50;

    @Override
    public String name() {
        return "search";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        List<Result> results = new ArrayList<>();
        Path data = Files.createDirectories(place.fresh("search").resolve("data"));
        try (Database sqlite = Databases.sqlite(data.resolve("satchel.db"))) {
            results.add(measure("SQLite", sqlite, effort, place, data, Map.of()));
        }
        results.add(onPostgresql(effort, place));
        return results;
    }

    private static Result onPostgresql(MeasurementEffort effort, BenchmarkEnvironment place)
            throws InterruptedException {
        try (DurablePostgresql server = DurablePostgresql.start();
                Database database = Databases.postgresql(server.url())) {
            Map<String, String> variables = Map.of("DATABASE_URL", server.url().toString());
            Path data = place.fresh("search").resolve("data");
            return measure("PostgreSQL", database, effort, place, data, variables);
        } catch (IOException | RuntimeException e) {
            String reason = "no PostgreSQL starts here: " + e;
            return Result.notMeasured(figure("PostgreSQL", effort), BAR, reason);
        }
    }

    private static Result measure(
            String kind,
            Database database,
            MeasurementEffort effort,
            BenchmarkEnvironment place,
            Path data,
            Map<String, String> variables)
            throws IOException, InterruptedException {
        MessageRows rows = new MessageRows(database);
        rows.fill(messages(effort));
        Map<String, String> all = new HashMap<>(variables);
        all.put("SATCHEL_RUNNER", "none");
        Thread writer = Thread.ofPlatform().unstarted(() -> write(rows));
        try (ServerProcess server = ServerProcess.start(place, all, data);
                ApiClient api = new ApiClient(server.url())) {
            writer.start();
            List<Double> rounds = new ArrayList<>();
            Vocabulary vocabulary = new Vocabulary();
            for (int round = -1; round < effort.rounds(); round++) {
                double p95 = round(api, vocabulary, effort.samples());
                if (round >= 0) { // the first one warms up
                    rounds.add(p95);
                }
            }
            return Result.of(figure(kind, effort), RoundValues.millis(rounds), BAR);
        } finally {
            writer.interrupt();
            writer.join();
        }
    }

    private static double round(ApiClient api, Vocabulary vocabulary, int samples)
            throws IOException, InterruptedException {
        Samples taken = new Samples();
        for (int i = 0; i < samples; i++) {
            String query = URLEncoder.encode(vocabulary.query(), StandardCharsets.UTF_8);
            taken.add(api.timed(api.request("/api/search?limit=20&q=" + query).build()));
        }
        return taken.percentileMillis(95);
    }

    /** Fifty turns a second, as far as the machine can. */
    private static void write(MessageRows rows) {
        ConversationId chat = rows.newChat();
        long next = System.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            rows.turn(chat);
            next += NANOS_PER_TURN;
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    /** Of the quick form a tenth. */
    private static int messages(MeasurementEffort effort) {
        int chats = effort.sizes().chats();
        return effort.extras() ? chats * MESSAGES_PER_CHAT : chats;
    }

    private static String figure(String kind, MeasurementEffort effort) {
        return String.format(
                Locale.ROOT,
                "search of %,d messages while 50 turns/s are written, %s, p95",
                messages(effort),
                kind);
    }
}
