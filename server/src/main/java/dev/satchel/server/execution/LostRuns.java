package dev.satchel.server.execution;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.schedule.ContactGap;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Finds the runs whose lease has expired, with the caution of {@link ContactGap}. */
final class LostRuns {
    private final Database database;
    private final RunStore runs;
    private final RunLease lease;
    private final ContactGap gap;

    LostRuns(Database database, RunStore runs, RunLease lease, Duration renewal, Clock clock) {
        this.database = database;
        this.runs = runs;
        this.lease = lease;
        this.gap = ContactGap.sinceStart(renewal, clock);
    }

    /** Runs with an expired lease. Those of other processes may be ended if {@code certain}. */
    record Expired(List<Run> runs, boolean certain) {
        Expired {
            runs = List.copyOf(runs);
        }
    }

    /** A page, after the id of another run. */
    Expired find(String after) {
        List<Run> expired = database.read(tx -> runs.expired(tx, lease.now(tx), after));
        return new Expired(expired, gap.isCertain());
    }

    /** The expired run that locks a conversation. */
    Optional<Run> find(ConversationId conversation) {
        Optional<Run> expired =
                database.read(
                        tx ->
                                runs.latest(tx, conversation)
                                        .filter(run -> run.status() == RunStatus.RUNNING)
                                        .filter(run -> run.leaseUntil() < lease.now(tx)));
        return gap.isCertain() ? expired : Optional.empty();
    }

    /** A page of the running runs with any lease: for a database with one server. */
    List<Run> findAll(String after) {
        return database.read(tx -> runs.expired(tx, Long.MAX_VALUE, after));
    }
}
