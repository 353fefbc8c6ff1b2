package dev.satchel.bench.storage;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.process.ServerProcess;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.RoundValues;
import dev.satchel.bench.report.Threshold;
import dev.satchel.server.application.Application;
import dev.satchel.server.configuration.ConfigurationReader;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.schedule.MonotonicClock;
import dev.satchel.server.snapshot.SnapshotStore;
import dev.satchel.server.snapshot.SnapshotSweeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The sweep of the objects of snapshots, and the disk after all chats are deleted. */
public final class DeletionBenchmark implements Benchmark {
    private static final Threshold PER_OBJECT =
            new Threshold.Below(20, MeasurementUnit.MICROSECONDS);
    private static final Threshold DISK = new Threshold.AtMostTimes(1.1);
    private static final double NANOS_PER_MICROSECOND = 1_000;
    private static final double BYTES_PER_MEGABYTE = 1_000_000;

    private static final int WARM_UP = 10;

    /** Every age has passed by then. */
    private static final Duration LATER = Duration.ofDays(400);

    @Override
    public String name() {
        return "deletion";
    }

    @Override
    public List<Result> measure(MeasurementEffort effort, BenchmarkEnvironment place)
            throws Exception {
        Path data = place.fresh("deletion").resolve("data");
        int chats = effort.sizes().deletedChats();
        ChatRows rows = new ChatRows(data);
        rows.store(rows.fill(chats));
        Result sweep = sweep(effort, rows, 2 * chats);
        rows.fillLogsAndDelete();
        return List.of(sweep, disk(place, data, chats));
    }

    /** All objects are needed, so every round does the same work. */
    private static Result sweep(MeasurementEffort effort, ChatRows rows, int objects)
            throws Exception {
        try (Database database = rows.open();
                LocalObjectStore store = new LocalObjectStore(rows.data().resolve("objects"))) {
            Clock later = Clock.offset(Clock.systemUTC(), LATER);
            SnapshotSweeper sweeper =
                    new SnapshotSweeper(
                            database, new SnapshotStore(new ConversationStore()), store, later);
            return new AlternatingRounds(
                            MeasurementUnit.MICROSECONDS,
                            () -> timed(sweeper) / NANOS_PER_MICROSECOND / objects,
                            "a listing alone",
                            () -> listed(store) / NANOS_PER_MICROSECOND / objects)
                    .warmed(WARM_UP)
                    .rounds(
                            effort.rounds(),
                            String.format(Locale.ROOT, "sweep of %,d objects, per object", objects),
                            PER_OBJECT);
        }
    }

    private static double timed(SnapshotSweeper sweeper) {
        long start = System.nanoTime();
        sweeper.sweep();
        return System.nanoTime() - start;
    }

    private static double listed(LocalObjectStore store) throws IOException {
        long start = System.nanoTime();
        try (Stream<?> all = store.list("workspace-snapshots/")) {
            long _ = all.mapToInt(_ -> 1).sum();
        }
        return System.nanoTime() - start;
    }

    private static Result disk(BenchmarkEnvironment place, Path data, int chats) throws Exception {
        Path empty = place.fresh("empty").resolve("data");
        sweepOnce(data);
        sweepOnce(empty);
        return Result.of(
                        String.format(Locale.ROOT, "disk after deleting %,d chats", chats),
                        megabytes(data),
                        DISK)
                .against("an empty server", megabytes(empty));
    }

    private static void sweepOnce(Path data) throws Exception {
        Map<String, String> variables =
                Map.of("SATCHEL_RUNNER", "none", "SATCHEL_API_KEY", ServerProcess.KEY);
        Map<String, String> flags = Map.of("--port", "0", "--data", data.toString());
        try (Application application =
                new Application(
                        ConfigurationReader.read(flags, List.of(), variables).configuration(),
                        Clock.offset(Clock.systemUTC(), LATER),
                        new MonotonicClock())) {
            application.sweep();
        }
    }

    private static RoundValues megabytes(Path folder) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                // the driver is unpacked once in a process, into the first of the folders
                bytes += file.toString().endsWith(".so") ? 0 : Files.size(file);
            }
        }
        return new RoundValues(MeasurementUnit.MEGABYTES, List.of(bytes / BYTES_PER_MEGABYTE));
    }
}
