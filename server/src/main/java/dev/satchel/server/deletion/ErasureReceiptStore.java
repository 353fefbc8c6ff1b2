package dev.satchel.server.deletion;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * The receipts of removed people. What is erased is counted in the transaction that erases it, so
 * that a crash loses no count and counts nothing twice.
 */
public final class ErasureReceiptStore {
    private static final String BEGIN =
            """
            INSERT INTO person_erasure (tenant_id, user_id, removed_at)
            VALUES (:tenant, :user, :now)
            ON CONFLICT (tenant_id, user_id) DO NOTHING
            """;

    private static final String FINISH =
            """
            UPDATE person_erasure SET finished_at = :now
             WHERE tenant_id = :tenant AND user_id = :user
            """;

    private static final String FIND =
            "SELECT * FROM person_erasure WHERE tenant_id = :tenant AND user_id = :user";

    private static final String COUNTS =
            """
            SELECT kind, number FROM person_erasure_count
             WHERE tenant_id = :tenant AND user_id = :user
            """;

    private static final String ADD_UP =
            """
            ON CONFLICT (tenant_id, user_id, kind) DO UPDATE
               SET number = person_erasure_count.number + excluded.number
            """;

    private static final String ADD =
            "INSERT INTO person_erasure_count (tenant_id, user_id, kind, number)"
                    + " VALUES (:tenant, :user, :kind, :number) "
                    + ADD_UP;

    private static final String ACCESS =
            """
            INSERT INTO person_erasure_count (tenant_id, user_id, kind, number)
            SELECT u.tenant_id, u.id, found.kind, found.number
              FROM app_user u
              JOIN (SELECT 'keys' AS kind, COUNT(*) AS number FROM api_key
                     WHERE tenant_id = :tenant AND user_id = :user AND revoked_at IS NULL
                    UNION ALL
                    SELECT 'sessions', COUNT(*) FROM browser_session
                     WHERE tenant_id = :tenant AND user_id = :user
                    UNION ALL
                    SELECT 'loginLinks', COUNT(*) FROM login_link
                     WHERE tenant_id = :tenant AND user_id = :user
                    UNION ALL
                    SELECT 'queuedMessages', COUNT(*) FROM queued_message
                     WHERE tenant_id = :tenant AND user_id = :user
                    UNION ALL
                    SELECT 'passwords', COUNT(*) FROM user_password
                     WHERE tenant_id = :tenant AND user_id = :user) found
                ON found.number > 0
             WHERE u.tenant_id = :tenant AND u.id = :user
            """
                    + ADD_UP;

    /** Also makes other transactions of the same person wait, so that nothing is counted twice. */
    private static final String LOCK =
            """
            UPDATE person_erasure SET removed_at = removed_at
             WHERE EXISTS (SELECT 1 FROM conversation c
                            WHERE c.id = :conversation AND c.tenant_id = person_erasure.tenant_id
                              AND c.user_id = person_erasure.user_id)
            """;

    private static final String CONVERSATION =
            """
            INSERT INTO person_erasure_count (tenant_id, user_id, kind, number)
            SELECT c.tenant_id, c.user_id, found.kind, found.number
              FROM conversation c
              JOIN (SELECT 'chats' AS kind, COUNT(*) AS number FROM conversation
                     WHERE id = :conversation AND type <> 'run'
                    UNION ALL
                    SELECT 'headlessRuns', COUNT(*) FROM conversation
                     WHERE id = :conversation AND type = 'run'
                    UNION ALL
                    SELECT 'messages', COUNT(*) FROM message WHERE conversation_id = :conversation
                    UNION ALL
                    SELECT 'queuedMessages', COUNT(*) FROM queued_message
                     WHERE conversation_id = :conversation
                    UNION ALL
                    SELECT 'branches', COUNT(*) FROM branch WHERE conversation_id = :conversation
                    UNION ALL
                    SELECT 'runs', COUNT(*) FROM run WHERE conversation_id = :conversation
                    UNION ALL
                    SELECT 'asks', COUNT(*) FROM ask WHERE conversation_id = :conversation
                    UNION ALL
                    SELECT 'files', COUNT(*) FROM bag_file WHERE conversation_id = :conversation
                    UNION ALL
                    SELECT 'shares', COUNT(*) FROM chat_share WHERE conversation_id = :conversation
                    UNION ALL
                    SELECT 'snapshots', COUNT(*) FROM snapshot
                     WHERE conversation_id = :conversation
                    UNION ALL
                    SELECT 'searchEntries', COUNT(*) FROM search_entry
                     WHERE conversation_id = :conversation) found
                ON found.number > 0
             WHERE c.id = :conversation
            """
                    + ADD_UP;

    /** What was erased of a person; {@code finished} is empty while something is left. */
    record Receipt(
            UserId user, Instant removed, Optional<Instant> finished, Map<String, Long> counts) {}

    /**
     * Counts what ends with the removal: messages that wait, and with what the person could sign
     * in.
     */
    public void begin(Transaction tx, TenantId tenant, UserId user, Instant now) {
        ensure(tx, tenant, user, now);
        of(tx.update(ACCESS), tenant, user).execute();
    }

    /** A person whom an earlier version has removed has a receipt too. */
    void ensure(Transaction tx, TenantId tenant, UserId user, Instant now) {
        of(tx.update(BEGIN), tenant, user).bind("now", now.toEpochMilli()).execute();
    }

    /** Counts what is about to be erased with a conversation, if its person was removed. */
    void addConversation(Transaction tx, ConversationId conversation) {
        int removed = tx.update(LOCK).bind("conversation", conversation.value()).execute();
        if (removed > 0) {
            tx.update(CONVERSATION).bind("conversation", conversation.value()).execute();
        }
    }

    void add(Transaction tx, TenantId tenant, UserId user, String kind, int number) {
        if (number > 0) {
            of(tx.update(ADD), tenant, user).bind("kind", kind).bind("number", number).execute();
        }
    }

    void finish(Transaction tx, TenantId tenant, UserId user, Instant now) {
        of(tx.update(FINISH), tenant, user).bind("now", now.toEpochMilli()).execute();
    }

    Optional<Receipt> find(Transaction tx, TenantId tenant, UserId user) {
        Map<String, Long> counts = new TreeMap<>();
        of(tx.query(COUNTS), tenant, user)
                .map((row, _) -> Map.entry(row.getString("kind"), row.getLong("number")))
                .forEach(count -> counts.put(count.getKey(), count.getValue()));
        return of(tx.query(FIND), tenant, user)
                .map(
                        (row, _) -> {
                            long finished = row.getLong("finished_at");
                            return new Receipt(
                                    user,
                                    Instant.ofEpochMilli(row.getLong("removed_at")),
                                    row.wasNull()
                                            ? Optional.empty()
                                            : Optional.of(Instant.ofEpochMilli(finished)),
                                    counts);
                        })
                .findOne();
    }

    private static <S extends SqlStatement<S>> S of(S statement, TenantId tenant, UserId user) {
        return statement.bind("tenant", tenant.value()).bind("user", user.value());
    }
}
