package dev.satchel.server.conversation;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.ChatTurn.Attachment;
import dev.satchel.server.conversation.MessageTree.Span;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The messages of the thread that a turn receives: the newest up to a limit, oldest first. */
public final class MessageReplay {
    /** Stands for the answer of a turn that was stopped before it had any. */
    private static final String STOPPED = "(stopped)";

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
                        store.messages()
                                .get(tx, conversation, seq(tx, conversation, messageId))
                                .fileAttachments());
    }

    /**
     * The messages on the path to the given one, which is the prompt of the turn. What other
     * branches have never reaches the model.
     */
    public List<ChatTurn> before(ConversationId conversation, MessageId messageId) {
        MessageTree tree = database.read(tx -> store.threads().tree(tx, conversation));
        List<ChatTurn> turns = new ArrayList<>();
        long end = tree.parent(database.read(tx -> seq(tx, conversation, messageId)));
        while (end > 0 && turns.size() < limit) {
            int rest = limit - turns.size();
            List<Span> path = tree.path(end, rest);
            List<PersistedMessage> newestFirst =
                    database.read(tx -> store.messages().newest(tx, conversation, path, rest));
            newestFirst.forEach(message -> turns.add(turn(message)));
            end = tree.before(end, newestFirst.size());
        }
        Collections.reverse(turns);
        return turns;
    }

    /** Without the results of the steps, which are large. */
    private static ChatTurn turn(PersistedMessage message) {
        return new ChatTurn(
                message.role().wireName(),
                content(message),
                message.createdAt(),
                message.fileAttachments().stream()
                        .map(f -> new Attachment(f.name(), f.mimeType(), f.size(), f.sha256()))
                        .toList(),
                StepLines.of(message.content()));
    }

    /** An answer that is empty stays empty. */
    private static String content(PersistedMessage message) {
        if (message.role() == Role.USER) {
            return message.prompt();
        }
        return message.text().isEmpty() && message.isStopped() ? STOPPED : message.text();
    }

    private long seq(Transaction tx, ConversationId conversation, MessageId messageId) {
        return store.messages()
                .seqOf(tx, conversation, messageId)
                .orElseThrow(() -> new IllegalStateException("no message " + messageId.value()));
    }
}
