package dev.satchel.server.execution;

import dev.satchel.server.database.Database;
import dev.satchel.server.run.Run;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.ServerProcessId;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.runlog.RunLogReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stops across servers. Word is left in the run's row and its owner is woken; it ends the run as if
 * the request had come to it, with its last lines and its workspace kept.
 */
final class StopRequests {
    private final Database database;
    private final RunStore runs;
    private final RunLog log;
    private final Duration patience;
    private final InstantSource clock;

    StopRequests(
            Database database, RunStore runs, RunLog log, Duration patience, InstantSource clock) {
        this.database = database;
        this.runs = runs;
        this.log = log;
        this.patience = patience;
        this.clock = clock;
    }

    /** Whether the run's owner has ended it; false when that is dead, or takes too long. */
    boolean ask(Run run, StopReason reason) throws InterruptedException {
        if (run.status() != RunStatus.RUNNING) {
            return true;
        }
        if (run.leaseUntil() < clock.millis()) {
            return false;
        }
        try (RunLogReader watch = log.watch(run.id())) {
            leaveWord(run, reason);
            return awaitEnd(watch, run.lastSeq());
        }
    }

    /** As {@link #ask}, without waiting for anything. */
    void leaveWord(RunId id, StopReason reason) {
        Thread.ofVirtual()
                .name("stop-" + id.value())
                .start(
                        () -> {
                            database.read(tx -> runs.find(tx, id))
                                    .filter(run -> run.status() == RunStatus.RUNNING)
                                    .ifPresent(run -> leaveWord(run, reason));
                        });
    }

    private void leaveWord(Run run, StopReason reason) {
        database.change(tx -> runs.askToStop(tx, run, reason.name()));
        log.signal(run.id());
    }

    /** What others have asked of this owner. */
    Map<RunId, StopReason> to(ServerProcessId owner) {
        Map<RunId, StopReason> asked = new HashMap<>();
        database.read(tx -> runs.askedToStop(tx, owner))
                .forEach((run, reason) -> asked.put(run, StopReason.valueOf(reason)));
        return asked;
    }

    private boolean awaitEnd(RunLogReader watch, long lastSeq) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        long position = lastSeq;
        while (true) {
            List<RunLogLine> lines = watch.read(position);
            if (!lines.isEmpty()) {
                position = lines.getLast().seq();
                if (lines.getLast().isEnd()) {
                    return true;
                }
                continue;
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            watch.await(position, Duration.ofNanos(left));
        }
    }
}
