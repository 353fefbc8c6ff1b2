package dev.satchel.server.schedule;

import dev.satchel.server.database.Transaction;

/** The row that names the server which runs the clean-up tasks. */
final class SweepLeaseStore {
    private static final String NAME = "sweeps";

    /** Succeeds for the holder, and for any server when the lease has expired. */
    private static final String TAKE =
            """
            INSERT INTO sweep_lease (name, holder, lease_until) VALUES (:name, :holder, :until)
            ON CONFLICT (name) DO UPDATE
               SET holder = excluded.holder, lease_until = excluded.lease_until
             WHERE sweep_lease.holder = excluded.holder OR sweep_lease.lease_until < :now
            """;

    private static final String RELEASE =
            "DELETE FROM sweep_lease WHERE name = :name AND holder = :holder";

    boolean take(Transaction tx, String holder, long now, long until) {
        return tx.update(TAKE)
                        .bind("name", NAME)
                        .bind("holder", holder)
                        .bind("now", now)
                        .bind("until", until)
                        .execute()
                == 1;
    }

    void release(Transaction tx, String holder) {
        tx.update(RELEASE).bind("name", NAME).bind("holder", holder).execute();
    }
}
