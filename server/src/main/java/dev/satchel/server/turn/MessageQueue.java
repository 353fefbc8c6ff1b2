package dev.satchel.server.turn;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.queue.QueueStore;
import dev.satchel.server.queue.QueuedMessage;
import dev.satchel.server.turn.TurnRequest.Message;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The queued messages of chats: adds, lists, edits and removes them. Every change locks the row of
 * the conversation, as a turn does.
 */
public final class MessageQueue {
    private static final int MAX_STEERING_TEXT = 16 * 1024;

    private final Database database;
    private final ConversationStore conversations;
    private final QueueStore store;
    private final ChatAgents agents;
    private final TurnFiles files;
    private final int limit;
    private final Clock clock;

    /** What the database has of the chats that have queues. */
    public record Stored(ConversationStore conversations, QueueStore queues, ChatAgents agents) {}

    /**
     * @param limit how many messages of a chat may wait
     */
    public MessageQueue(Database database, Stored stored, TurnFiles files, int limit, Clock clock) {
        this.database = database;
        this.conversations = stored.conversations();
        this.store = stored.queues();
        this.agents = stored.agents();
        this.files = files;
        this.limit = limit;
        this.clock = clock;
    }

    /** A queued message with the files that are attached to it and still exist. */
    record Entry(QueuedMessage message, List<FileAttachment> attachments) {
        Entry {
            attachments = List.copyOf(attachments);
        }
    }

    List<Entry> list(Caller caller, ConversationId chat) {
        return database.read(
                tx -> {
                    requireChat(tx, caller, chat);
                    return store.list(tx, chat).stream()
                            .map(message -> new Entry(message, files.existing(tx, message)))
                            .toList();
                });
    }

    /** The run that can hear a message: without files, and not too long for a line. */
    private static @Nullable RunId steered(
            Conversation chat, String text, List<FileId> attachments) {
        return attachments.isEmpty() && text.length() <= MAX_STEERING_TEXT
                ? chat.activeRunId()
                : null;
    }

    /** Lets the running turn hear a message that waits, or gives it a turn of its own again. */
    void steer(Caller caller, ConversationId chat, MessageId id, boolean isSteering) {
        database.change(
                tx -> {
                    Conversation locked = lock(tx, caller, chat);
                    QueuedMessage message = find(tx, chat, id);
                    store.steer(
                            tx,
                            chat,
                            id,
                            isSteering
                                    ? steered(locked, message.text(), message.attachments())
                                    : null);
                });
    }

    /** Replaces the text of a message that still waits. One too long to be heard gets a turn. */
    void edit(Caller caller, ConversationId chat, MessageId id, String text) {
        database.change(
                tx -> {
                    Conversation locked = lock(tx, caller, chat);
                    QueuedMessage message = find(tx, locked.id(), id);
                    Message.validate(text, message.attachments().size());
                    if (!store.edit(tx, chat, id, text)) {
                        throw notQueued();
                    }
                    boolean isSteering = message.steerRun() != null;
                    if (isSteering && steered(locked, text, message.attachments()) == null) {
                        store.steer(tx, chat, id, null);
                    }
                });
    }

    /** Removes a message that still waits. Its files stay in the bag. */
    void remove(Caller caller, ConversationId chat, MessageId id) {
        database.change(
                tx -> {
                    Conversation locked = lock(tx, caller, chat);
                    if (!store.remove(tx, locked.id(), id)) {
                        throw notQueued();
                    }
                    files.detach(tx, chat, id);
                });
    }

    /** Lets a queue go on that a cancelled or refused turn has paused. */
    void resume(Caller caller, ConversationId chat) {
        database.change(
                tx -> {
                    Conversation locked = lock(tx, caller, chat);
                    boolean _ = store.resume(tx, locked.id());
                });
    }

    /** Locks a chat until the transaction ends. */
    Conversation lock(Transaction tx, Caller caller, ConversationId chat) {
        requireChat(tx, caller, chat);
        if (!conversations.lock(tx, chat)) {
            throw ChatErrors.noSuchChat();
        }
        return requireChat(tx, caller, chat); // as it is now
    }

    boolean isEmpty(Transaction tx, ConversationId chat) {
        return store.count(tx, chat) == 0;
    }

    /** Appends a message to the queue of a locked chat; a paused queue goes on. */
    QueuedTurns.Sent.Queued add(
            Transaction tx, Conversation chat, TurnRequest request, WhenBusy whenBusy, RunId run) {
        Message message = (Message) request.content();
        Optional<QueuedMessage> repeated = store.find(tx, run);
        if (repeated.isPresent()) {
            return place(tx, repeated.get());
        }
        if (store.count(tx, chat.id()) >= limit) {
            throw new SatchelException(
                    ErrorCode.QUEUE_FULL,
                    "this chat has " + limit + " queued messages, which is the limit");
        }
        if (conversations.messages().seqOf(tx, chat.id(), message.id()).isPresent()
                || isQueued(tx, chat.id(), message.id())) {
            throw ChatErrors.messageExists(chat.id().value());
        }
        List<FileAttachment> _ = files.attach(tx, chat.id(), message);
        QueuedMessage queued =
                new QueuedMessage(
                        chat.tenant(),
                        chat.user(),
                        chat.id(),
                        message.id(),
                        run,
                        message.text(),
                        message.attachments(),
                        agents.select(
                                tx,
                                Caller.onBehalfOf(chat.tenant(), chat.user()),
                                chat.id(),
                                request.selection()),
                        false,
                        null,
                        whenBusy == WhenBusy.STEER
                                ? steered(chat, message.text(), message.attachments())
                                : null,
                        clock.millis());
        boolean _ = store.resume(tx, chat.id());
        store.add(tx, queued);
        return place(tx, queued);
    }

    List<ConversationId> chatsWithDue(Transaction tx, String after, int page) {
        return store.chatsWithDue(tx, after, page);
    }

    Optional<QueuedMessage> findDue(Transaction tx, ConversationId chat) {
        return store.findDue(tx, chat);
    }

    /**
     * Takes a message out of the queue of a locked chat; false when it is not the next as given.
     */
    boolean take(Transaction tx, QueuedMessage message) {
        return store.findDue(tx, message.conversation()).filter(message::equals).isPresent()
                && store.remove(tx, message.conversation(), message.id());
    }

    void refuse(Transaction tx, QueuedMessage message, String problem) {
        if (conversations.lock(tx, message.conversation())) {
            store.refuse(tx, message, problem);
        }
    }

    private QueuedTurns.Sent.Queued place(Transaction tx, QueuedMessage message) {
        List<MessageId> order =
                store.list(tx, message.conversation()).stream().map(QueuedMessage::id).toList();
        return new QueuedTurns.Sent.Queued(message, order.indexOf(message.id()) + 1);
    }

    private boolean isQueued(Transaction tx, ConversationId chat, MessageId id) {
        return store.list(tx, chat).stream().anyMatch(queued -> queued.id().equals(id));
    }

    private QueuedMessage find(Transaction tx, ConversationId chat, MessageId id) {
        return store.list(tx, chat).stream()
                .filter(queued -> queued.id().equals(id))
                .findFirst()
                .orElseThrow(MessageQueue::notQueued);
    }

    private Conversation requireChat(Transaction tx, Caller caller, ConversationId chat) {
        return conversations.find(tx, caller, chat).orElseThrow(ChatErrors::noSuchChat);
    }

    static SatchelException notQueued() {
        return new SatchelException(
                ErrorCode.NOT_FOUND,
                "no such queued message: it was removed, or its turn has started");
    }
}
