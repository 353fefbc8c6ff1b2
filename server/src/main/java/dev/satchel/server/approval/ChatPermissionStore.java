package dev.satchel.server.approval;

import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import java.util.Map;
import java.util.stream.Collectors;

/** Rows of decisions that hold for all later calls of a tool in a conversation. */
public final class ChatPermissionStore implements ConversationData {
    private static final String PUT =
            """
            INSERT INTO chat_permission (conversation_id, tool, permission, decided_at)
            VALUES (:conversation, :tool, :permission, :now)
            ON CONFLICT (conversation_id, tool) DO UPDATE
               SET permission = excluded.permission, decided_at = excluded.decided_at
            """;

    private static final String FIND =
            "SELECT tool, permission FROM chat_permission WHERE conversation_id = :conversation";

    private static final String ERASE =
            "DELETE FROM chat_permission WHERE conversation_id = :conversation";

    void put(
            Transaction tx, ConversationId conversation, String tool, String permission, long now) {
        tx.update(PUT)
                .bind("conversation", conversation.value())
                .bind("tool", tool)
                .bind("permission", permission)
                .bind("now", now)
                .execute();
    }

    /** The permissions by tool. */
    Map<String, String> find(Transaction tx, ConversationId conversation) {
        return tx.query(FIND)
                .bind("conversation", conversation.value())
                .map((row, _) -> Map.entry(row.getString("tool"), row.getString("permission")))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }
}
