package dev.satchel.server.turn;

import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Caller;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.StopReason;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Chats as their owners see them: list, read, rename, stop, delete, restore. */
public final class ChatService {
    private final Database database;
    private final ConversationStore conversations;
    private final RunStore runs;
    private final BagStore bag;
    private final Executions executions;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();

    public ChatService(
            Database database,
            ConversationStore conversations,
            RunStore runs,
            BagStore bag,
            Executions executions,
            Clock clock) {
        this.database = database;
        this.conversations = conversations;
        this.runs = runs;
        this.bag = bag;
        this.executions = executions;
        this.clock = clock;
    }

    /**
     * A page of a thread: oldest first, with the number before which the next older page begins.
     */
    public record ThreadPage(
            Conversation conversation,
            List<PersistedMessage> messages,
            @Nullable Long olderBefore,
            Optional<Run> activeRun) {
        public ThreadPage {
            messages = List.copyOf(messages);
        }
    }

    public Conversation create(Caller caller, @Nullable String title, @Nullable String workflowId) {
        ConversationId id = ConversationId.random();
        database.change(
                tx ->
                        conversations.create(
                                tx, caller.tenant(), id, title, workflowId, clock.millis()));
        return get(caller, id);
    }

    /**
     * A chat in the making, deleted until it is whole: nobody sees it, and one that is given up
     * half-way goes as any deleted chat does.
     */
    public Conversation draft(Caller caller, @Nullable String title, @Nullable String workflowId) {
        ConversationId id = ConversationId.random();
        long now = clock.millis();
        return database.write(
                tx -> {
                    conversations.create(tx, caller.tenant(), id, title, workflowId, now);
                    boolean _ = conversations.delete(tx, caller.tenant(), id, now);
                    return conversations.findDeleted(tx, caller.tenant(), id).orElseThrow();
                });
    }

    public Conversation get(Caller caller, ConversationId id) {
        return database.read(tx -> conversations.find(tx, caller.tenant(), id))
                .orElseThrow(ChatErrors::noSuchChat);
    }

    public Optional<Conversation> find(Caller caller, ConversationId id) {
        return database.read(tx -> conversations.find(tx, caller.tenant(), id));
    }

    /** The chat of an id that a client has chosen, made when it is new. */
    public Conversation ensure(Caller caller, ConversationId id) {
        if (find(caller, id).isEmpty()) {
            database.change(
                    tx -> conversations.createIfAbsent(tx, caller.tenant(), id, clock.millis()));
        }
        return get(caller, id); // not when the id is somebody else's, or was deleted
    }

    public List<Conversation> page(Caller caller, PageRequest page) {
        return database.read(tx -> conversations.page(tx, caller.tenant(), page));
    }

    public ThreadPage read(Caller caller, ConversationId id, Optional<Long> before, int limit) {
        return database.read(
                tx -> {
                    Conversation chat =
                            conversations
                                    .find(tx, caller.tenant(), id)
                                    .orElseThrow(ChatErrors::noSuchChat);
                    long upTo = Math.min(before.orElse(Long.MAX_VALUE), chat.messageCount() + 1);
                    List<PersistedMessage> messages =
                            new ArrayList<>(conversations.newestBefore(tx, id, upTo, limit));
                    Collections.reverse(messages);
                    long oldest = upTo - messages.size(); // numbers have no gaps
                    RunId active = chat.activeRunId();
                    return new ThreadPage(
                            chat,
                            messages,
                            oldest > 1 ? oldest : null,
                            active == null ? Optional.empty() : runs.find(tx, active));
                });
    }

    public Conversation rename(Caller caller, ConversationId id, String title) {
        boolean renamed =
                database.write(tx -> conversations.rename(tx, caller.tenant(), id, title));
        if (!renamed) {
            throw ChatErrors.noSuchChat();
        }
        return get(caller, id);
    }

    /** Stops the turn in flight, if there is one; the chat is free when this returns. */
    public boolean cancel(Caller caller, ConversationId id) throws InterruptedException {
        Optional<Run> active = activeRun(get(caller, id));
        if (active.isPresent()) {
            executions.stop(active.get(), StopReason.CANCELLED);
        }
        return active.isPresent();
    }

    /** Deleting again is no failure; a running turn is stopped first. */
    public void delete(Caller caller, ConversationId id) throws InterruptedException {
        Optional<Conversation> live =
                database.read(tx -> conversations.find(tx, caller.tenant(), id));
        if (live.isEmpty()) {
            requireDeleted(caller, id);
            return;
        }
        boolean deleted =
                database.write(
                        tx -> {
                            long now = clock.millis();
                            boolean gone = conversations.delete(tx, caller.tenant(), id, now);
                            if (gone) {
                                bag.deleteAll(tx, id, now);
                                audit.add(tx, deletion(caller, id), now);
                            }
                            return gone;
                        });
        if (deleted) {
            stopAfterDelete(id);
        }
    }

    /** Brings back the chat and the files that went with it, not those deleted before. */
    public Conversation restore(Caller caller, ConversationId id) {
        database.change(
                tx -> {
                    Optional<Conversation> deleted =
                            conversations.findDeleted(tx, caller.tenant(), id);
                    if (deleted.isEmpty()) {
                        return;
                    }
                    Long deletedAt = deleted.get().deletedAt();
                    if (deletedAt != null && conversations.restore(tx, caller.tenant(), id)) {
                        bag.restoreAll(tx, id, deletedAt);
                    }
                });
        return get(caller, id);
    }

    /** The run to follow when a client names none: the one in flight. */
    public Optional<Run> activeRun(Conversation chat) {
        RunId active = chat.activeRunId();
        return active == null ? Optional.empty() : database.read(tx -> runs.find(tx, active));
    }

    /** The last run that a conversation began, if it ever began one. */
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
        if (database.read(tx -> conversations.findDeleted(tx, caller.tenant(), id)).isEmpty()) {
            throw ChatErrors.noSuchChat();
        }
    }

    /** No new turn can begin once the chat is deleted, so the one found now is the last. */
    private void stopAfterDelete(ConversationId id) throws InterruptedException {
        Optional<Run> last = latestRun(id);
        if (last.isPresent() && last.get().status() == RunStatus.RUNNING) {
            executions.stop(last.get(), StopReason.CANCELLED);
        }
    }
}
