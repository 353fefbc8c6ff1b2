package dev.satchel.bench.node;

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
import java.util.ArrayList;
import java.util.List;

/** The time until a line is durable, on PostgreSQL and on SQLite in alternating rounds. */
public final class DurableLineBenchmark implements Benchmark {
    private static final int RUNS = 64;

    @Override
    public String name() {
        return "lines";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
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
                                RoundValues.millis(onPostgresql.alone),
                                new Threshold.Open())
                        .against("SQLite", RoundValues.millis(onSqlite.alone)),
                Result.of(
                                "lines until durable, %d runs at once, PostgreSQL".formatted(RUNS),
                                new RoundValues(MeasurementUnit.PER_SECOND, onPostgresql.together),
                                new Threshold.Open())
                        .against(
                                "SQLite",
                                new RoundValues(MeasurementUnit.PER_SECOND, onSqlite.together)));
    }

    private static final class Measured {
        private final List<Double> alone = new ArrayList<>();
        private final List<Double> together = new ArrayList<>();

        void take(LoggedRuns runs, MeasurementEffort effort, boolean counts)
                throws InterruptedException {
            double oneLine = runs.oneByOne(effort.samples());
            double rate = runs.atOnce(RUNS, effort.samples());
            if (counts) {
                alone.add(oneLine);
                together.add(rate);
            }
        }
    }
}
