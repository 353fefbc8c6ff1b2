package dev.satchel.bench.append;

import dev.satchel.bench.Effort;
import dev.satchel.bench.Figure;
import dev.satchel.bench.Place;
import dev.satchel.bench.process.DurablePostgresql;
import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Samples;
import dev.satchel.bench.report.Series;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import java.io.IOException;
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
        try (DurablePostgresql server = DurablePostgresql.start();
                Database database = Databases.postgresql(server.url())) {
            return measure("PostgreSQL", database, effort);
        } catch (IOException | RuntimeException e) {
            return Result.notMeasured(
                    figure("PostgreSQL", effort), BAR, "no PostgreSQL starts here: " + e);
        }
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
