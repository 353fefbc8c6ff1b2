package dev.satchel.server.execution;

import dev.satchel.server.database.Transaction;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.ServerProcessId;
import java.util.List;

/** Rows of runs that wait for the server on whose disk their workspace lies. */
final class RunForwardingStore {
    private static final String OFFER = "UPDATE run SET waits_for = :node WHERE id = :id";

    private static final String OFFERED =
            "SELECT id FROM run WHERE waits_for = :node AND status = 'running' ORDER BY started_at";

    /** Of all who want it one gets it. */
    private static final String TAKE =
            """
            UPDATE run SET waits_for = NULL, owner = :owner, lease_until = :until
             WHERE id = :id AND waits_for = :node AND status = 'running'
            """;

    void offer(Transaction tx, RunId run, NodeId to) {
        tx.update(OFFER).bind("id", run.value()).bind("node", to.value()).execute();
    }

    List<RunId> offered(Transaction tx, NodeId to) {
        return tx.query(OFFERED)
                .bind("node", to.value())
                .mapTo(String.class)
                .map(RunId::new)
                .list();
    }

    /** False when another has it by now, or it is over. */
    boolean take(Transaction tx, RunId run, NodeId offeredTo, ServerProcessId owner, long until) {
        return tx.update(TAKE)
                        .bind("id", run.value())
                        .bind("node", offeredTo.value())
                        .bind("owner", owner.value())
                        .bind("until", until)
                        .execute()
                == 1;
    }
}
