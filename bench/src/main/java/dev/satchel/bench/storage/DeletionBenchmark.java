package dev.satchel.bench.storage;

import dev.satchel.bench.AlternatingRounds;
import dev.satchel.bench.Benchmark;
import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.MeasurementEffort;
import dev.satchel.bench.report.MeasurementUnit;
import dev.satchel.bench.report.Result;
import dev.satchel.bench.report.Threshold;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.snapshot.SnapshotStore;
import dev.satchel.server.snapshot.SnapshotSweeper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The sweep of the objects of snapshots, and the disk after all chats are deleted. */
public final class DeletionBenchmark implements Benchmark {
    private static final Threshold PER_OBJECT =
            new Threshold.Below(20, MeasurementUnit.MICROSECONDS);
    private static final Threshold DISK = new Threshold.AtMostTimes(1.1);
    private static final double NANOS_PER_MICROSECOND = 1_000;

    private static final int WARM_UP = 10;

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
            Clock later = DataFolder.later();
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
        DataFolder deleted = new DataFolder(data);
        DataFolder empty = new DataFolder(place.fresh("empty").resolve("data"));
        deleted.sweep();
        empty.sweep();
        return Result.of(
                        String.format(Locale.ROOT, "disk after deleting %,d chats", chats),
                        deleted.size(),
                        DISK)
                .against("an empty server", empty.size());
    }
}
