package dev.satchel.server.execution;

import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.ServerProcessId;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.runlog.RunLogReader;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Stops runs that another server executes. The request is stored in the run's row and signalled;
 * the owner ends the run as if it had received the request, and saves its last lines and workspace.
 */
final class StopRequests {
    private final Database database;
    private final RunStore runs;
    private final RunLog log;
    private final Duration timeout;
    private final InstantSource clock;

    StopRequests(
            Database database, RunStore runs, RunLog log, Duration timeout, InstantSource clock) {
        this.database = database;
        this.runs = runs;
        this.log = log;
        this.timeout = timeout;
        this.clock = clock;
    }

    /** Whether the owner has ended the run; false when the owner is dead or takes too long. */
    boolean sendAndWait(Run run, StopReason reason) throws InterruptedException {
        if (run.status() != RunStatus.RUNNING) {
            return true;
        }
        if (run.leaseUntil() < clock.millis()) {
            return false;
        }
        try (RunLogReader watch = log.watch(run.id())) {
            send(run, reason);
            return awaitEnd(watch, run.lastSeq());
        }
    }

    /** As {@link #sendAndWait}, without waiting. */
    void send(RunId id, StopReason reason) {
        Thread.ofVirtual()
                .name("stop-" + id.value())
                .start(
                        () -> {
                            database.read(tx -> runs.find(tx, id))
                                    .filter(run -> run.status() == RunStatus.RUNNING)
                                    .ifPresent(run -> send(run, reason));
                        });
    }

    private void send(Run run, StopReason reason) {
        database.change(tx -> runs.askToStop(tx, run, reason.name()));
        log.signal(run.id());
    }

    /** The runs of an owner that other servers want stopped, with the reasons. */
    Map<RunId, StopReason> to(ServerProcessId owner) {
        Map<RunId, StopReason> requests = new HashMap<>();
        database.read(tx -> runs.askedToStop(tx, owner))
                .forEach((run, reason) -> requests.put(run, StopReason.valueOf(reason)));
        return requests;
    }

    private boolean awaitEnd(RunLogReader watch, long lastSeq) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        long position = lastSeq;
        while (true) {
            List<RunLogLine> lines = watch.read(position);
            if (!lines.isEmpty()) {
                position = lines.getLast().seq();
                if (lines.getLast().isEnd() || lines.getLast().isParked()) {
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
