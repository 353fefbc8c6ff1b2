package dev.satchel.server.run;

import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import org.jspecify.annotations.Nullable;

/** Rows of one-time tokens. A token is valid only while its run is running in its generation. */
public final class RunTokenStore implements ConversationData {
    private static final String ERASE =
            """
            DELETE FROM run_token
             WHERE run_id IN (SELECT id FROM run WHERE conversation_id = :conversation)
            """;

    private static final String INSERT =
            """
            INSERT INTO run_token (hash, run_id, purpose, generation, expires_at)
            VALUES (:hash, :run, :purpose, :generation, :expires)
            """;

    private static final String DROP_EXPIRED =
            """
            DELETE FROM run_token
             WHERE hash IN (SELECT hash FROM run_token WHERE expires_at < :before
                             ORDER BY expires_at LIMIT 1000)
            """;

    private static final String HELD =
            """
               AND EXISTS (SELECT 1 FROM run
                            WHERE run.id = run_token.run_id AND run.status = 'running'
                              AND run.generation = run_token.generation)
            """;

    private static final String LIVE =
            """
             WHERE hash = :hash AND run_id = :run AND purpose = :purpose
               AND used_at IS NULL AND expires_at > :now
            """
                    + HELD;

    private static final String IS_LIVE = "SELECT COUNT(*) FROM run_token" + LIVE;

    private static final String REDEEM =
            "UPDATE run_token SET used_at = :now, used_by = :key" + LIVE;

    private static final String WAS_REDEEMED =
            """
            SELECT COUNT(*) FROM run_token
             WHERE hash = :hash AND run_id = :run AND purpose = :purpose AND used_at IS NOT NULL
            """
                    + HELD;

    private static final String WAS_REDEEMED_BY = WAS_REDEEMED + " AND used_by = :key";

    private static final String WAS_USED =
            """
            SELECT COUNT(*) FROM run_token
             WHERE run_id = :run AND purpose = :purpose AND used_at IS NOT NULL
            """;

    boolean wasUsed(Transaction tx, RunId run, TokenPurpose purpose) {
        return tx.query(WAS_USED)
                        .bind("run", run.value())
                        .bind("purpose", purpose.wireName())
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    void insert(
            Transaction tx,
            String hash,
            RunId run,
            TokenPurpose purpose,
            long generation,
            long expiresAt) {
        tx.update(INSERT)
                .bind("hash", hash)
                .bind("run", run.value())
                .bind("purpose", purpose.wireName())
                .bind("generation", generation)
                .bind("expires", expiresAt)
                .execute();
    }

    boolean isLive(Transaction tx, String hash, RunId run, TokenPurpose purpose, long now) {
        return tx.query(IS_LIVE)
                        .bind("hash", hash)
                        .bind("run", run.value())
                        .bind("purpose", purpose.wireName())
                        .bind("now", now)
                        .mapTo(Long.class)
                        .one()
                == 1;
    }

    boolean redeem(
            Transaction tx,
            String hash,
            RunId run,
            TokenPurpose purpose,
            @Nullable String key,
            long now) {
        return tx.update(REDEEM)
                        .bind("hash", hash)
                        .bind("key", key)
                        .bind("run", run.value())
                        .bind("purpose", purpose.wireName())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    boolean wasRedeemed(Transaction tx, String hash, RunId run, TokenPurpose purpose) {
        return tx.query(WAS_REDEEMED)
                        .bind("hash", hash)
                        .bind("run", run.value())
                        .bind("purpose", purpose.wireName())
                        .mapTo(Long.class)
                        .one()
                == 1;
    }

    boolean wasRedeemedBy(
            Transaction tx, String hash, RunId run, TokenPurpose purpose, String key) {
        return tx.query(WAS_REDEEMED_BY)
                        .bind("hash", hash)
                        .bind("run", run.value())
                        .bind("purpose", purpose.wireName())
                        .bind("key", key)
                        .mapTo(Long.class)
                        .one()
                == 1;
    }

    /** Deletes some of the tokens that expired before a time, and returns their number. */
    public int dropExpired(Transaction tx, long before) {
        return tx.update(DROP_EXPIRED).bind("before", before).execute();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }
}
