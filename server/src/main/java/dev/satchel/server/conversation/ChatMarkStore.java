package dev.satchel.server.conversation;

import dev.satchel.server.database.Transaction;
import org.jdbi.v3.core.statement.Update;

/** What people have marked their chats as: pinned, archived. */
public final class ChatMarkStore implements ConversationData {
    private static final String PIN =
            """
            INSERT INTO chat_mark (conversation_id, pinned_at) VALUES (:id, :at)
            ON CONFLICT (conversation_id) DO UPDATE SET pinned_at = COALESCE(chat_mark.pinned_at, :at)
            """;

    private static final String ARCHIVE =
            """
            INSERT INTO chat_mark (conversation_id, archived_at) VALUES (:id, :at)
            ON CONFLICT (conversation_id) DO UPDATE SET archived_at = COALESCE(chat_mark.archived_at, :at)
            """;

    private static final String UNPIN =
            "UPDATE chat_mark SET pinned_at = NULL WHERE conversation_id = :id";

    private static final String TAKE_BACK =
            "UPDATE chat_mark SET archived_at = NULL WHERE conversation_id = :id";

    private static final String ERASE = "DELETE FROM chat_mark WHERE conversation_id = :id";

    public void pin(Transaction tx, ConversationId id, boolean isPinned, long now) {
        set(isPinned ? tx.update(PIN).bind("at", now) : tx.update(UNPIN), id);
    }

    public void archive(Transaction tx, ConversationId id, boolean isArchived, long now) {
        set(isArchived ? tx.update(ARCHIVE).bind("at", now) : tx.update(TAKE_BACK), id);
    }

    private static void set(Update update, ConversationId id) {
        update.bind("id", id.value()).execute();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        set(tx.update(ERASE), conversation);
    }
}
