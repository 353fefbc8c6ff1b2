package dev.satchel.server.deletion;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.StopReason;
import dev.satchel.server.queue.QueueStore;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStore;
import java.util.Optional;

/** Ends what runs and waits for a person who was removed. */
public final class PersonRuns {
    private final Database database;
    private final RunStore runs;
    private final QueueStore queues;
    private final Executions executions;
    private final RemovedPeopleStore store = new RemovedPeopleStore();

    public PersonRuns(Database database, RunStore runs, QueueStore queues, Executions executions) {
        this.database = database;
        this.runs = runs;
        this.queues = queues;
        this.executions = executions;
    }

    /** In the transaction that removes the person: no queued message becomes a turn. */
    public void dequeue(Transaction tx, TenantId tenant, UserId user) {
        queues.removeAll(tx, tenant, user);
    }

    /** Stops all runs of the person at once, without waiting for their ends. */
    public void stop(TenantId tenant, UserId user) {
        for (RunId run : database.read(tx -> store.activeRuns(tx, tenant, user))) {
            Thread.ofVirtual().name("removed-" + run.value()).start(() -> stop(run));
        }
    }

    private void stop(RunId id) {
        Optional<Run> run = database.read(tx -> runs.find(tx, id));
        if (run.isEmpty()) {
            return;
        }
        try {
            executions.stop(run.get(), StopReason.CANCELLED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
