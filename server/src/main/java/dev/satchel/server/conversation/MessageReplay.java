package dev.satchel.server.conversation;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The messages of the thread that a turn receives: the newest up to a limit, oldest first. */
public final class MessageReplay {
    /** The text of an answer without text, so that the roles still alternate. */
    private static final String NO_TEXT = "(stopped)";

    private final Database database;
    private final ConversationStore store;
    private final int limit;

    public MessageReplay(Database database, ConversationStore store, int limit) {
        this.database = database;
        this.store = store;
        this.limit = limit;
    }

    /** The files attached to a message. */
    public List<FileAttachment> attachmentsOf(ConversationId conversation, MessageId messageId) {
        return database.read(
                tx ->
                        store.newestBefore(
                                        tx, conversation, seq(tx, conversation, messageId) + 1, 1)
                                .getFirst()
                                .fileAttachments());
    }

    /** The messages before the given one, which is the prompt of the turn. */
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
                            text.isEmpty() ? NO_TEXT : text,
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
