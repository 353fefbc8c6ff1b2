package dev.satchel.server.operations;

import dev.satchel.server.database.Transaction;

/** Rows that show that the database accepts writes; none stays. */
public final class ReadinessStore {
    private static final String INSERT =
            "INSERT INTO readiness_check (id, checked_at) VALUES (:id, :now)";

    private static final String DELETE = "DELETE FROM readiness_check WHERE id = :id";

    /** Writes a row and deletes it in the same transaction. */
    public void write(Transaction tx, String id, long now) {
        tx.update(INSERT).bind("id", id).bind("now", now).execute();
        tx.update(DELETE).bind("id", id).execute();
    }
}
