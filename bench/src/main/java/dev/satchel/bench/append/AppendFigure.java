package dev.satchel.bench.append;

import dev.satchel.bench.Effort;
import dev.satchel.bench.Figure;
import dev.satchel.bench.Place;
import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Series;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A message appended to a long thread against one appended to a short one, turn about. */
public final class AppendFigure implements Figure {
    private static final Bar BAR = new Bar.AtMostTimes(1.2);
    private static final int SHORT_THREAD = 10;

    /** A short thread is left alone once it is twice as long. */
    private static final int APPENDS_PER_SHORT_THREAD = SHORT_THREAD;

    private static final int LONG_THREADS = 2;

    @Override
    public String name() {
        return "append";
    }

    @Override
    public List<Result> measure(Effort effort, Place place) throws IOException {
        List<Result> results = new ArrayList<>();
        try (Database sqlite = Databases.sqlite(place.fresh("append").resolve("satchel.db"))) {
            results.add(measure("SQLite", sqlite, effort));
        }
        results.add(onPostgresql(effort));
        return results;
    }

    private static Result onPostgresql(Effort effort) {
        try (EmbeddedPostgres server = durablePostgresql();
                Database database =
                        Databases.postgresql(
                                URI.create(
                                        "postgresql://postgres:postgres@localhost:%d/postgres"
                                                .formatted(server.getPort())))) {
            return measure("PostgreSQL", database, effort);
        } catch (IOException | RuntimeException e) {
            return Result.notMeasured(
                    figure("PostgreSQL", effort), BAR, "no PostgreSQL starts here: " + e);
        }
    }

    /** Made for tests, it would otherwise write nothing through to the disk. */
    private static EmbeddedPostgres durablePostgresql() throws IOException {
        return EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start();
    }

    private static Result measure(String kind, Database database, Effort effort) {
        Threads threads = new Threads(database);
        List<MeasuredThread> longThreads = threads.make(LONG_THREADS, effort.sizes().longThread());
        List<Double> ours = new ArrayList<>();
        List<Double> anchor = new ArrayList<>();
        for (int round = -1; round < effort.rounds(); round++) {
            Samples atLong = new Samples();
            Samples atShort = new Samples();
            List<MeasuredThread> shortThreads =
                    threads.make(
                            Math.ceilDiv(effort.samples(), APPENDS_PER_SHORT_THREAD), SHORT_THREAD);
            for (int i = 0; i < effort.samples(); i++) {
                atShort.add(shortThreads.get(i / APPENDS_PER_SHORT_THREAD).timedAppend());
                atLong.add(longThreads.get(i % LONG_THREADS).timedAppend());
            }
            if (round >= 0) { // the first one warms up
                ours.add(atLong.medianMillis());
                anchor.add(atShort.medianMillis());
            }
        }
        return Result.of(figure(kind, effort), Series.millis(ours), BAR)
                .against("at message " + SHORT_THREAD, Series.millis(anchor));
    }

    private static String figure(String kind, Effort effort) {
        return String.format(
                Locale.ROOT, "append at message %,d, %s", effort.sizes().longThread(), kind);
    }
}
