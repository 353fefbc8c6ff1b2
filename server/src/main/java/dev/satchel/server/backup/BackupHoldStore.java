package dev.satchel.server.backup;

import dev.satchel.server.database.Transaction;

/** The row that a backup holds while it copies objects. */
final class BackupHoldStore {
    private static final String TAKE =
            """
            INSERT INTO backup_hold (name, holder, started_at, expires_at)
            VALUES ('objects', :holder, :now, :until)
            ON CONFLICT (name) DO UPDATE
               SET holder = excluded.holder, started_at = excluded.started_at, expires_at = excluded.expires_at
             WHERE backup_hold.expires_at < :now
            """;

    private static final String RENEW =
            """
            UPDATE backup_hold SET expires_at = :until
             WHERE name = 'objects' AND holder = :holder AND expires_at >= :now
            """;

    private static final String RELEASE = "DELETE FROM backup_hold WHERE holder = :holder";

    private static final String HELD =
            "SELECT COUNT(*) FROM backup_hold WHERE name = 'objects' AND expires_at >= :now";

    /** False while another backup holds it. */
    boolean take(Transaction tx, String holder, long now, long until) {
        return tx.update(TAKE)
                        .bind("holder", holder)
                        .bind("now", now)
                        .bind("until", until)
                        .execute()
                > 0;
    }

    /** False when it has expired in the meantime. */
    boolean renew(Transaction tx, String holder, long now, long until) {
        return tx.update(RENEW)
                        .bind("holder", holder)
                        .bind("now", now)
                        .bind("until", until)
                        .execute()
                > 0;
    }

    void release(Transaction tx, String holder) {
        tx.update(RELEASE).bind("holder", holder).execute();
    }

    boolean isHeld(Transaction tx, long now) {
        return tx.query(HELD).bind("now", now).mapTo(Integer.class).one() > 0;
    }
}
