package dev.satchel.server.runlog;

import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;

/** Rows of the clients that follow runs. */
public final class RunReaderStore {
    private static final String INSERT =
            "INSERT INTO run_reader (id, run_id, expires_at) VALUES (:id, :run, :until)";

    private static final String EXISTS =
            "SELECT COUNT(*) FROM run_reader WHERE run_id = :run AND expires_at > :now";

    private static final String RENEW = "UPDATE run_reader SET expires_at = :until WHERE id = :id";

    private static final String DELETE = "DELETE FROM run_reader WHERE id = :id";

    private static final String DELETE_EXPIRED = "DELETE FROM run_reader WHERE expires_at <= :now";

    void insert(Transaction tx, String id, RunId run, long until) {
        tx.update(INSERT).bind("id", id).bind("run", run.value()).bind("until", until).execute();
    }

    boolean exists(Transaction tx, RunId run, long now) {
        return tx.query(EXISTS).bind("run", run.value()).bind("now", now).mapTo(Long.class).one()
                > 0;
    }

    void renew(Transaction tx, String id, long until) {
        tx.update(RENEW).bind("id", id).bind("until", until).execute();
    }

    void delete(Transaction tx, String id) {
        tx.update(DELETE).bind("id", id).execute();
    }

    void deleteExpired(Transaction tx, long now) {
        tx.update(DELETE_EXPIRED).bind("now", now).execute();
    }
}
