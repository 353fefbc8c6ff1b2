package dev.satchel.server.conversation;

import dev.satchel.server.database.Transaction;

/** The rows that a feature stores for a conversation. */
public interface ConversationData {
    /** Deletes the rows for good, within the transaction that deletes the conversation. */
    void erase(Transaction tx, ConversationId conversation);
}
