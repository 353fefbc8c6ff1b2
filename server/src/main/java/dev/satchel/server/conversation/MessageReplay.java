package dev.satchel.server.conversation;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.ChatTurn.Attachment;
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
                                .newestBefore(
                                        tx, conversation, seq(tx, conversation, messageId) + 1, 1)
                                .getFirst()
                                .fileAttachments());
    }

    /** The messages before the given one, which is the prompt of the turn. */
    public List<ChatTurn> before(ConversationId conversation, MessageId messageId) {
        List<ChatTurn> turns = new ArrayList<>();
        long seq = database.read(tx -> seq(tx, conversation, messageId));
        while (turns.size() < limit) {
            long before = seq - turns.size(); // numbers have no gaps
            int rest = limit - turns.size();
            List<PersistedMessage> newestFirst =
                    database.read(
                            tx -> store.messages().newestBefore(tx, conversation, before, rest));
            if (newestFirst.isEmpty()) {
                break;
            }
            newestFirst.forEach(message -> turns.add(turn(message)));
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
