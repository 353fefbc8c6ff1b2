package dev.satchel.server.deletion;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import java.util.List;

/**
 * Reads which removed people still have content, or a receipt that is not finished. It is the
 * record of what is to be erased.
 */
final class RemovedPeopleStore {
    private static final String OF_PERSON =
            " WHERE %s.tenant_id = u.tenant_id AND %s.user_id = u.id)";

    private static final String UNFINISHED =
            "SELECT u.tenant_id, u.id FROM app_user u WHERE u.removed_at IS NOT NULL AND (EXISTS"
                    + " (SELECT 1 FROM person_erasure e"
                    + OF_PERSON.formatted("e", "e").replace(")", " AND e.finished_at IS NULL)")
                    + " OR EXISTS (SELECT 1 FROM conversation c"
                    + OF_PERSON.formatted("c", "c")
                    + " OR EXISTS (SELECT 1 FROM upload f"
                    + OF_PERSON.formatted("f", "f")
                    + " OR EXISTS (SELECT 1 FROM model_usage m"
                    + OF_PERSON.formatted("m", "m")
                    + " OR EXISTS (SELECT 1 FROM usage_limit l"
                    + OF_PERSON.formatted("l", "l")
                    + " OR EXISTS (SELECT 1 FROM run_share s"
                    + OF_PERSON.formatted("s", "s")
                    + " OR EXISTS (SELECT 1 FROM idempotency_key k"
                    + " WHERE k.tenant_id = u.tenant_id AND k.key_hash LIKE u.id || ':%')"
                    + ") ORDER BY u.tenant_id, u.id";

    private static final String CONVERSATIONS =
            """
            SELECT id FROM conversation
             WHERE tenant_id = :tenant AND user_id = :user AND id > :after
             ORDER BY id LIMIT 200
            """;

    private static final String ACTIVE_RUNS =
            """
            SELECT id FROM run
             WHERE tenant_id = :tenant AND user_id = :user AND status IN ('running', 'waiting')
            """;

    /** A removed person. */
    record Person(TenantId tenant, UserId user) {}

    List<Person> unfinished(Transaction tx) {
        return tx.query(UNFINISHED)
                .map(
                        (row, _) ->
                                new Person(
                                        new TenantId(row.getString("tenant_id")),
                                        new UserId(row.getString("id"))))
                .list();
    }

    List<RunId> activeRuns(Transaction tx, TenantId tenant, UserId user) {
        return tx.query(ACTIVE_RUNS)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .mapTo(String.class)
                .map(RunId::new)
                .list();
    }

    /** A page of all their conversations: chats, deleted ones, and those of headless runs. */
    List<ConversationId> conversations(Transaction tx, Person person, String after) {
        return tx.query(CONVERSATIONS)
                .bind("tenant", person.tenant().value())
                .bind("user", person.user().value())
                .bind("after", after)
                .mapTo(String.class)
                .map(ConversationId::new)
                .list();
    }
}
