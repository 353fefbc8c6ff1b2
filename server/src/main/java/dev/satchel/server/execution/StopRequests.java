package dev.satchel.server.execution;

import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.ServerProcessId;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.runlog.RunLogReader;
import java.time.Duration;
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
    private final ExecutionServices services;
    private final RunLease lease;
    private final Duration timeout;

    StopRequests(
            Database database,
            RunStore runs,
            ExecutionServices services,
            RunLease lease,
            Duration timeout) {
        this.database = database;
        this.runs = runs;
        this.services = services;
        this.lease = lease;
        this.timeout = timeout;
    }

    /** Ends a run that waits for a place; false when it does not wait. */
    boolean endQueued(Run run, StopReason reason) {
        return database.write(tx -> take(tx, run))
                && services.settlements().settleFromLog(run, reason);
    }

    private boolean take(Transaction tx, Run run) {
        return services.queue().take(tx, run.id(), lease.owner(), lease.until(lease.now(tx)));
    }

    /** Ends a run that waits for a place, or asks its server to stop it. Returns at once. */
    void sendOrEnd(RunId id, StopReason reason) {
        Thread.ofVirtual()
                .name("stop-" + id.value())
                .start(
                        () ->
                                database.read(tx -> runs.find(tx, id))
                                        .filter(run -> run.status() == RunStatus.RUNNING)
                                        .filter(run -> !endQueued(run, reason))
                                        .ifPresent(run -> send(run, reason)));
    }

    /** Whether the owner has ended the run; false when the owner is dead or takes too long. */
    boolean sendAndWait(Run run, StopReason reason) throws InterruptedException {
        if (run.status() != RunStatus.RUNNING) {
            return true;
        }
        if (run.leaseUntil() < lease.clock().millis()) {
            return false;
        }
        try (RunLogReader watch = services.log().watch(run.id())) {
            send(run, reason);
            return awaitEnd(watch, run.lastSeq());
        }
    }

    private void send(Run run, StopReason reason) {
        database.change(tx -> runs.askToStop(tx, run, reason.name()));
        services.log().signal(run.id());
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
