package dev.satchel.server.conversation;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a turn is told of the thread before it: the newest messages, oldest first, never the whole
 * thread.
 */
public final class MessageReplay {
    /** Stands for an answer that has no words, so that the roles still take turns. */
    private static final String NO_WORDS = "(stopped)";

    private final Database database;
    private final ConversationStore store;
    private final int limit;

    public MessageReplay(Database database, ConversationStore store, int limit) {
        this.database = database;
        this.store = store;
        this.limit = limit;
    }

    /** The files that stand on a message. */
    public List<FileAttachment> attachmentsOf(ConversationId conversation, MessageId messageId) {
        return database.read(
                tx ->
                        store.newestBefore(
                                        tx, conversation, seq(tx, conversation, messageId) + 1, 1)
                                .getFirst()
                                .fileAttachments());
    }

    /** The messages before the given one, which travels as the prompt. */
    public List<ChatTurn> before(ConversationId conversation, MessageId messageId) {
        List<PersistedMessage> newestFirst =
                database.read(
                        tx ->
                                store.newestBefore(
                                        tx, conversation, seq(tx, conversation, messageId), limit));
        List<ChatTurn> turns = new ArrayList<>();
        for (PersistedMessage message : newestFirst) {
            String text = message.text();
            turns.add(
                    new ChatTurn(
                            message.role().wireName(),
                            text.isEmpty() ? NO_WORDS : text,
                            message.createdAt()));
        }
        Collections.reverse(turns);
        return turns;
    }

    private long seq(Transaction tx, ConversationId conversation, MessageId messageId) {
        return store.seqOf(tx, conversation, messageId)
                .orElseThrow(() -> new IllegalStateException("no message " + messageId.value()));
    }
}
