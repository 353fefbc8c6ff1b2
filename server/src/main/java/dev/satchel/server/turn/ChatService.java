package dev.satchel.server.turn;

import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Caller;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.conversation.ChatErrors;
import dev.satchel.server.conversation.ChatMarkStore;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationReadStore.Filter;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.conversation.NewHead;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.StopReason;
import dev.satchel.server.queue.QueueStore;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStore;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The chats of a caller: lists, reads, changes, stops, deletes and restores them. */
public final class ChatService {
    private final Database database;
    private final ConversationStore conversations;
    private final ChatMarkStore marks;
    private final RunStore runs;
    private final BagStore bag;
    private final QueueStore queues;
    private final ConversationData shares;
    private final ChatAgents agents;
    private final Executions executions;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();

    /** What is stored of a chat. */
    public record Storage(
            ConversationStore conversations,
            ChatMarkStore marks,
            RunStore runs,
            BagStore bag,
            QueueStore queues,
            ConversationData shares,
            ChatAgents agents) {}

    public ChatService(Database database, Storage storage, Executions executions, Clock clock) {
        this.database = database;
        this.conversations = storage.conversations();
        this.marks = storage.marks();
        this.runs = storage.runs();
        this.bag = storage.bag();
        this.queues = storage.queues();
        this.shares = storage.shares();
        this.agents = storage.agents();
        this.executions = executions;
        this.clock = clock;
    }

    /**
     * A page of a thread, oldest first; the next older page ends before {@code olderBefore}.
     *
     * @param queued how many messages wait for their turn
     * @param selected the agent and the model of the next turn
     */
    public record ThreadPage(
            Conversation conversation,
            List<PersistedMessage> messages,
            @Nullable Long olderBefore,
            Optional<Run> activeRun,
            int queued,
            ChatAgents.Selected selected) {
        public ThreadPage {
            messages = List.copyOf(messages);
        }
    }

    public Conversation create(Caller caller, @Nullable String title, @Nullable String workflowId) {
        ConversationId id = ConversationId.random();
        database.change(
                tx -> conversations.create(tx, caller, id, title, workflowId, clock.millis()));
        return get(caller, id);
    }

    /** Creates a chat that is marked deleted, so that it is not visible until it is restored. */
    public Conversation draft(Caller caller, @Nullable String title, @Nullable String workflowId) {
        ConversationId id = ConversationId.random();
        long now = clock.millis();
        return database.write(
                tx -> {
                    conversations.create(tx, caller, id, title, workflowId, now);
                    boolean _ = conversations.delete(tx, caller, id, now);
                    return conversations.reading().findDeleted(tx, caller, id).orElseThrow();
                });
    }

    public Conversation get(Caller caller, ConversationId id) {
        return database.read(tx -> conversations.find(tx, caller, id))
                .orElseThrow(ChatErrors::noSuchChat);
    }

    public Optional<Conversation> find(Caller caller, ConversationId id) {
        return database.read(tx -> conversations.find(tx, caller, id));
    }

    /** The chat with an id that the client chose; created when it is new. */
    public Conversation ensure(Caller caller, ConversationId id) {
        if (find(caller, id).isEmpty()) {
            database.change(tx -> conversations.createIfAbsent(tx, caller, id, clock.millis()));
        }
        return get(caller, id); // refused when another tenant has the id, or when it was deleted
    }

    public List<Conversation> page(Caller caller, Filter filter, PageRequest page) {
        return database.read(tx -> conversations.reading().page(tx, caller, filter, page));
    }

    /** The newest messages of the active path, or those before the message with a number. */
    public ThreadPage read(Caller caller, ConversationId id, Optional<Long> before, int limit) {
        return database.read(
                tx -> {
                    Conversation chat = find(tx, caller, id);
                    MessageTree tree = conversations.threads().tree(tx, chat);
                    long end =
                            before.filter(seq -> seq <= tree.last())
                                    .map(seq -> seq <= 1 ? 0 : tree.parent(seq))
                                    .orElse(tree.head());
                    return page(tx, caller, chat, tree, end, limit);
                });
    }

    /** The newest messages of the path that a head would have, which does not become the head. */
    public ThreadPage readPath(Caller caller, ConversationId id, NewHead head, int limit) {
        return database.read(
                tx -> {
                    Conversation chat = find(tx, caller, id);
                    MessageTree tree = conversations.threads().tree(tx, chat);
                    long end = head.find(tx, conversations.threads(), chat.id(), tree);
                    return page(tx, caller, chat, tree, end, limit);
                });
    }

    /** A message of the user on the active path. */
    public record Version(MessageId id, String text, @Nullable MessageId parent) {}

    /**
     * The message of the active path at the place of a given one: itself, or the one that was sent
     * instead. Empty if the thread does not have it.
     */
    public Optional<Version> findVersion(Caller caller, ConversationId id, MessageId message) {
        return database.read(
                tx -> {
                    Optional<Conversation> chat = conversations.find(tx, caller, id);
                    OptionalLong seq = conversations.threads().seqOf(tx, id, message);
                    return chat.isEmpty() || seq.isEmpty()
                            ? Optional.empty()
                            : version(tx, chat.get(), seq.getAsLong());
                });
    }

    private Optional<Version> version(Transaction tx, Conversation chat, long seq) {
        MessageTree tree = conversations.threads().tree(tx, chat);
        long parent = tree.parent(seq);
        long active =
                tree.children(parent).stream()
                        .filter(it -> tree.isOnPath(it, tree.head()))
                        .findFirst()
                        .orElse(seq);
        PersistedMessage found = conversations.messages().get(tx, chat.id(), active);
        String before = conversations.threads().ids(tx, chat.id(), List.of(parent)).get(parent);
        return found.role() == Role.USER
                ? Optional.of(
                        new Version(
                                new MessageId(found.id()),
                                found.text(),
                                before == null ? null : new MessageId(before)))
                : Optional.empty();
    }

    private Conversation find(Transaction tx, Caller caller, ConversationId id) {
        return conversations.find(tx, caller, id).orElseThrow(ChatErrors::noSuchChat);
    }

    private ThreadPage page(
            Transaction tx,
            Caller caller,
            Conversation chat,
            MessageTree tree,
            long end,
            int limit) {
        ConversationId id = chat.id();
        List<PersistedMessage> newestFirst =
                conversations.messages().newest(tx, id, tree.path(end, limit), limit);
        List<Long> numbers = tree.newest(end, newestFirst.size());
        List<PersistedMessage> messages =
                conversations.threads().placed(tx, id, tree, numbers, newestFirst).reversed();
        RunId active = chat.activeRunId();
        boolean hasOlder = tree.before(end, newestFirst.size()) > 0;
        return new ThreadPage(
                chat,
                messages,
                hasOlder ? numbers.getLast() : null,
                active == null
                        ? Optional.empty()
                        : runs.find(tx, active).filter(run -> run.status().isActive()),
                queues.count(tx, id),
                agents.find(tx, caller.tenant(), id));
    }

    /** What the person of a chat changes of it; null leaves a thing as it is. */
    public record Change(
            @Nullable String title, @Nullable Boolean pinned, @Nullable Boolean archived) {}

    public Conversation change(Caller caller, ConversationId id, Change change) {
        database.change(tx -> change(tx, caller, id, change));
        return get(caller, id);
    }

    private void change(Transaction tx, Caller caller, ConversationId id, Change change) {
        Conversation _ = find(tx, caller, id);
        if (!conversations.lock(tx, id)) { // it may just have expired
            throw ChatErrors.noSuchChat();
        }
        if (change.title() != null) {
            boolean _ = conversations.rename(tx, caller, id, change.title());
        }
        if (change.pinned() != null) {
            marks.pin(tx, id, change.pinned(), clock.millis());
        }
        if (change.archived() != null) {
            marks.archive(tx, id, change.archived(), clock.millis());
        }
    }

    /** Stops the active run, if there is one; the chat is free when this returns. */
    public boolean cancel(Caller caller, ConversationId id) throws InterruptedException {
        Optional<Run> active = activeRun(get(caller, id));
        if (active.isPresent()) {
            executions.stop(active.get(), StopReason.CANCELLED);
        }
        return active.isPresent();
    }

    /**
     * Deletes the chat, its queue and its shares, also when it is deleted already, and stops its
     * run.
     */
    public void delete(Caller caller, ConversationId id) throws InterruptedException {
        Optional<Conversation> found = database.read(tx -> conversations.find(tx, caller, id));
        if (found.isEmpty()) {
            requireDeleted(caller, id);
            return;
        }
        boolean deleted =
                database.write(
                        tx -> {
                            long now = clock.millis();
                            boolean changed = conversations.delete(tx, caller, id, now);
                            if (changed) {
                                bag.deleteAll(tx, id, now);
                                queues.erase(tx, id);
                                shares.erase(tx, id);
                                audit.add(tx, deletion(caller, id), now);
                            }
                            return changed;
                        });
        if (deleted) {
            stopAfterDelete(id);
        }
    }

    /** Restores the chat and the files that were deleted with it, not those deleted before. */
    public Conversation restore(Caller caller, ConversationId id) {
        database.change(
                tx -> {
                    Optional<Conversation> deleted =
                            conversations.reading().findDeleted(tx, caller, id);
                    if (deleted.isEmpty()) {
                        return;
                    }
                    Long deletedAt = deleted.get().deletedAt();
                    if (deletedAt != null && conversations.restore(tx, caller, id)) {
                        bag.restoreAll(tx, id, deletedAt);
                    }
                });
        return get(caller, id);
    }

    /** The run in progress. */
    public Optional<Run> activeRun(Conversation chat) {
        RunId active = chat.activeRunId();
        return active == null ? Optional.empty() : database.read(tx -> runs.find(tx, active));
    }

    /** The last run of a conversation. */
    public Optional<Run> latestRun(ConversationId id) {
        return database.read(tx -> runs.latest(tx, id));
    }

    public Optional<Run> run(RunId id) {
        return database.read(tx -> runs.find(tx, id));
    }

    private static AuditEvent deletion(Caller caller, ConversationId id) {
        return AuditEvent.allowed(caller.tenant(), id.value(), AuditEvent.Action.DELETE, id.value())
                .with(Map.of("what", "chat"));
    }

    private void requireDeleted(Caller caller, ConversationId id) {
        if (database.read(tx -> conversations.reading().findDeleted(tx, caller, id)).isEmpty()) {
            throw ChatErrors.noSuchChat();
        }
    }

    /** No turn can start in a deleted chat, so the run found now is the last. */
    public void stopAfterDelete(ConversationId id) throws InterruptedException {
        Optional<Run> last = latestRun(id);
        if (last.isPresent() && last.get().status().isActive()) {
            executions.stop(last.get(), StopReason.CANCELLED);
        }
    }
}
