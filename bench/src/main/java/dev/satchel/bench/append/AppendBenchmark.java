package dev.satchel.bench.append;

import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.DurablePostgresql;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Threshold;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A message appended to a long thread against one appended to a short one, turn about. */
public final class AppendBenchmark implements Benchmark {
    private static final Threshold BAR = new Threshold.AtMostTimes(1.2);
    private static final int SHORT_THREAD = 10;

    /** A short thread is left alone once it is twice as long. */
    private static final int APPENDS_PER_SHORT_THREAD = SHORT_THREAD;

    private static final int LONG_THREADS = 2;

    @Override
    public String name() {
        return "append";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws IOException {
        List<Result> results = new ArrayList<>();
        try (Database sqlite = Databases.sqlite(place.fresh("append").resolve("satchel.db"))) {
            results.addAll(measure("SQLite", sqlite, effort));
        }
        results.addAll(onPostgresql(effort));
        return results;
    }

    private static List<Result> onPostgresql(MeasurementEffort effort) {
        try (DurablePostgresql server = DurablePostgresql.start();
                Database database = Databases.postgresql(server.url())) {
            return measure("PostgreSQL", database, effort);
        } catch (IOException | RuntimeException e) {
            return List.of(
                    Result.notMeasured(
                            figure("append at message", "PostgreSQL", effort),
                            BAR,
                            "no PostgreSQL starts here: " + e));
        }
    }

    private static List<Result> measure(String kind, Database database, MeasurementEffort effort) {
        ThreadFactory threads = new ThreadFactory(database);
        List<MeasuredThread> longThreads = threads.make(LONG_THREADS, effort.sizes().longThread());
        Pair appends = new Pair();
        Pair pages = new Pair();
        for (int round = -1; round < effort.rounds(); round++) {
            List<MeasuredThread> shortThreads =
                    threads.make(
                            Math.ceilDiv(effort.samples(), APPENDS_PER_SHORT_THREAD), SHORT_THREAD);
            for (int i = 0; i < effort.samples(); i++) {
                MeasuredThread brief = shortThreads.get(i / APPENDS_PER_SHORT_THREAD);
                MeasuredThread lengthy = longThreads.get(i % LONG_THREADS);
                boolean longFirst = i % 2 == 0; // the second reader finds more in the cache
                long first = (longFirst ? lengthy : brief).timedPage(SHORT_THREAD);
                long second = (longFirst ? brief : lengthy).timedPage(SHORT_THREAD);
                pages.add(longFirst ? first : second, longFirst ? second : first);
                long atShort = brief.timedAppend();
                appends.add(lengthy.timedAppend(), atShort);
            }
            appends.end(round >= 0); // the first one warms up
            pages.end(round >= 0);
        }
        return List.of(
                appends.row(
                        figure("append at message", kind, effort),
                        BAR,
                        "at message " + SHORT_THREAD),
                pages.row(
                        figure("newest %d messages of".formatted(SHORT_THREAD), kind, effort),
                        new Threshold.Open(),
                        "of " + SHORT_THREAD));
    }

    /** Samples of a long thread and of a short one, and the medians of the rounds so far. */
    private static final class Pair {
        private final List<Double> ours = new ArrayList<>();
        private final List<Double> anchor = new ArrayList<>();
        private Samples atLong = new Samples();
        private Samples atShort = new Samples();

        void add(long ofLong, long ofShort) {
            atLong.add(ofLong);
            atShort.add(ofShort);
        }

        void end(boolean counts) {
            if (counts) {
                ours.add(atLong.medianMillis());
                anchor.add(atShort.medianMillis());
            }
            atLong = new Samples();
            atShort = new Samples();
        }

        Result row(String figure, Threshold bar, String anchorName) {
            return Result.of(figure, RoundValues.millis(ours), bar)
                    .against(anchorName, RoundValues.millis(anchor));
        }
    }

    private static String figure(String what, String kind, MeasurementEffort effort) {
        return String.format(Locale.ROOT, "%s %,d, %s", what, effort.sizes().longThread(), kind);
    }
}
