package dev.satchel.server.dialect.openai;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.database.Transaction;
import java.util.List;

/** By which messages a client finds the conversation of its next request. */
public final class OpenAiThreadStore implements ConversationData {
    private static final String ADD =
            """
            INSERT INTO openai_thread (conversation_id, message_id, tenant_id, history, created_at)
            VALUES (:conversation, :message, :tenant, :history, :now)
            ON CONFLICT (conversation_id, message_id, history) DO NOTHING
            """;

    /** Clients of two people may say the same: the newest conversations come first. */
    private static final String FIND =
            """
            SELECT conversation_id, message_id FROM openai_thread
             WHERE tenant_id = :tenant AND history = :history
             ORDER BY created_at DESC, conversation_id LIMIT :limit
            """;

    private static final String ERASE = "DELETE FROM openai_thread WHERE conversation_id = :id";

    /** A message of a conversation. */
    record Place(ConversationId conversation, MessageId message) {}

    void add(Transaction tx, TenantId tenant, Place place, String history, long now) {
        tx.update(ADD)
                .bind("conversation", place.conversation().value())
                .bind("message", place.message().value())
                .bind("tenant", tenant.value())
                .bind("history", history)
                .bind("now", now)
                .execute();
    }

    List<Place> find(Transaction tx, TenantId tenant, String history, int limit) {
        return tx.query(FIND)
                .bind("tenant", tenant.value())
                .bind("history", history)
                .bind("limit", limit)
                .map(
                        (row, _) ->
                                new Place(
                                        new ConversationId(row.getString("conversation_id")),
                                        new MessageId(row.getString("message_id"))))
                .list();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("id", conversation.value()).execute();
    }
}
