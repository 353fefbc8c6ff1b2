package dev.satchel.server.run;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.access.UserStore.PersonData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import java.util.List;

/** Rows of runs that wait for a free place, and when tenants and users last got one. */
public final class RunQueueStore implements PersonData {
    private static final String INSERT =
            """
            INSERT INTO run_queue (run_id, tenant_id, conversation_id, queued_at, position)
            VALUES (:run, :tenant, :conversation, :at, 0)
            ON CONFLICT (run_id) DO NOTHING
            """;

    private static final String DELETE = "DELETE FROM run_queue WHERE run_id = :run";

    /** Of runs that were ended while they waited. */
    private static final String DELETE_ENDED =
            """
            DELETE FROM run_queue
             WHERE run_id IN (SELECT q.run_id FROM run_queue q JOIN run r ON r.id = q.run_id
                               WHERE r.status <> 'running')
            """;

    private static final String WAITING =
            """
            SELECT q.run_id, q.conversation_id, q.tenant_id, r.user_id, q.queued_at, q.position
              FROM run_queue q JOIN run r ON r.id = q.run_id AND r.status = 'running'
             ORDER BY q.queued_at, q.run_id LIMIT 10000
            """;

    private static final String USER = "SELECT user_id FROM run WHERE id = :run";

    private static final String COUNT = "SELECT COUNT(*) FROM run_queue WHERE tenant_id = :tenant";

    private static final String RUNNING =
            """
            SELECT tenant_id, user_id, COUNT(*) AS runs FROM run
             WHERE status = 'running' AND NOT EXISTS (SELECT 1 FROM run_queue q WHERE q.run_id = run.id)
             GROUP BY tenant_id, user_id
            """;

    private static final String FORGET =
            "DELETE FROM run_share WHERE tenant_id = :tenant AND user_id = :user";

    private static final String SERVED = "SELECT tenant_id, user_id, served_at FROM run_share";

    /**
     * Locks the row until the transaction ends, so that the runs of a tenant are counted one by
     * one.
     */
    private static final String SERVE =
            """
            INSERT INTO run_share (tenant_id, user_id, served_at) VALUES (:tenant, :user, :now)
            ON CONFLICT (tenant_id, user_id) DO UPDATE
                SET served_at = CASE WHEN excluded.served_at > run_share.served_at
                                     THEN excluded.served_at ELSE run_share.served_at + 1 END
            """;

    /** Of several servers that show a new position, one does. */
    private static final String MOVE =
            """
            UPDATE run_queue SET position = :position WHERE run_id = :run AND position = :before
            """;

    void insert(Transaction tx, Run run) {
        tx.update(INSERT)
                .bind("run", run.id().value())
                .bind("tenant", run.tenant().value())
                .bind("conversation", run.conversation().value())
                .bind("at", run.startedAt())
                .execute();
    }

    /** False when the run does not wait. */
    boolean remove(Transaction tx, RunId run) {
        return tx.update(DELETE).bind("run", run.value()).execute() == 1;
    }

    void removeEnded(Transaction tx) {
        tx.update(DELETE_ENDED).execute();
    }

    List<QueuedRun> waiting(Transaction tx) {
        return tx.query(WAITING)
                .map(
                        (row, _) ->
                                new QueuedRun(
                                        new RunId(row.getString("run_id")),
                                        new ConversationId(row.getString("conversation_id")),
                                        new TenantId(row.getString("tenant_id")),
                                        new UserId(row.getString("user_id")),
                                        row.getLong("queued_at"),
                                        row.getLong("position")))
                .list();
    }

    UserId user(Transaction tx, RunId run) {
        return new UserId(tx.query(USER).bind("run", run.value()).mapTo(String.class).one());
    }

    @Override
    public int erasePerson(Transaction tx, TenantId tenant, UserId user) {
        return tx.update(FORGET)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .execute();
    }

    int count(Transaction tx, TenantId tenant) {
        return tx.query(COUNT).bind("tenant", tenant.value()).mapTo(Integer.class).one();
    }

    RunShares shares(Transaction tx) {
        RunShares shares = new RunShares();
        tx.query(RUNNING)
                .map(
                        (row, _) -> {
                            shares.addRunning(
                                    new TenantId(row.getString("tenant_id")),
                                    new UserId(row.getString("user_id")),
                                    row.getInt("runs"));
                            return true;
                        })
                .list();
        tx.query(SERVED)
                .map(
                        (row, _) -> {
                            String user = row.getString("user_id");
                            shares.servedAt(
                                    new TenantId(row.getString("tenant_id")),
                                    user.isEmpty() ? null : new UserId(user),
                                    row.getLong("served_at"));
                            return true;
                        })
                .list();
        return shares;
    }

    /** The tenant and the user have got a place; locks their rows until the transaction ends. */
    void serve(Transaction tx, TenantId tenant, UserId user, long now) {
        serveOne(tx, tenant, "", now);
        serveOne(tx, tenant, user.value(), now);
    }

    private static void serveOne(Transaction tx, TenantId tenant, String user, long now) {
        tx.update(SERVE)
                .bind("tenant", tenant.value())
                .bind("user", user)
                .bind("now", now)
                .execute();
    }

    boolean move(Transaction tx, QueuedRun run, long position) {
        return tx.update(MOVE)
                        .bind("run", run.run().value())
                        .bind("before", run.position())
                        .bind("position", position)
                        .execute()
                == 1;
    }
}
