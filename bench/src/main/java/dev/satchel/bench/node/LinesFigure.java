package dev.satchel.bench.node;

import dev.satchel.bench.Effort;
import dev.satchel.bench.Figure;
import dev.satchel.bench.Place;
import dev.satchel.bench.process.DurablePostgresql;
import dev.satchel.bench.report.Bar;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Series;
import dev.satchel.bench.report.Unit;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** What a line costs until it is durable, on PostgreSQL and on SQLite, turn about. */
public final class LinesFigure implements Figure {
    private static final int RUNS = 64;

    @Override
    public String name() {
        return "lines";
    }

    @Override
    public List<Result> measure(Effort effort, Place place)
            throws IOException, InterruptedException {
        Measured onSqlite = new Measured();
        Measured onPostgresql = new Measured();
        try (Database sqlite = Databases.sqlite(place.fresh("lines").resolve("satchel.db"));
                DurablePostgresql server = DurablePostgresql.start();
                Database postgresql = Databases.postgresql(server.url());
                LoggedRuns ofSqlite = new LoggedRuns(sqlite);
                LoggedRuns ofPostgresql = new LoggedRuns(postgresql)) {
            for (int round = -1; round < effort.rounds(); round++) {
                boolean counts = round >= 0; // the first one warms up
                onSqlite.take(ofSqlite, effort, counts);
                onPostgresql.take(ofPostgresql, effort, counts);
            }
        }
        return List.of(
                Result.of(
                                "one line until durable, PostgreSQL, p50",
                                Series.millis(onPostgresql.alone),
                                new Bar.Open())
                        .against("SQLite", Series.millis(onSqlite.alone)),
                Result.of(
                                "lines until durable, %d runs at once, PostgreSQL".formatted(RUNS),
                                new Series(Unit.PER_SECOND, onPostgresql.together),
                                new Bar.Open())
                        .against("SQLite", new Series(Unit.PER_SECOND, onSqlite.together)));
    }

    private static final class Measured {
        private final List<Double> alone = new ArrayList<>();
        private final List<Double> together = new ArrayList<>();

        void take(LoggedRuns runs, Effort effort, boolean counts) throws InterruptedException {
            double oneLine = runs.oneByOne(effort.samples());
            double rate = runs.atOnce(RUNS, effort.samples());
            if (counts) {
                alone.add(oneLine);
                together.add(rate);
            }
        }
    }
}
