package dev.satchel.server.turn;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.IdempotentOperation;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.User;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.access.UserStore;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.DatabaseOutage;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.RunLauncher;
import dev.satchel.server.queue.QueuedMessage;
import dev.satchel.server.run.Run;
import dev.satchel.server.turn.TurnRequest.Message;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the turns of queued messages, one after the other. Every server tries it when a run has
 * ended, and periodically; the lock of the conversation lets one succeed.
 */
public final class QueuedTurns {
    private static final Logger LOG = LoggerFactory.getLogger(QueuedTurns.class);
    private static final int PAGE = 100;

    private final Database database;
    private final UserStore users;
    private final MessageQueue queue;
    private final TurnService turns;
    private final RunLauncher launcher;
    private final Executions executions;

    public QueuedTurns(
            Database database,
            UserStore users,
            MessageQueue queue,
            TurnService turns,
            RunLauncher launcher,
            Executions executions) {
        this.database = database;
        this.users = users;
        this.queue = queue;
        this.turns = turns;
        this.launcher = launcher;
        this.executions = executions;
    }

    /** What became of a message. */
    public sealed interface Sent {
        /** Its turn runs. */
        record Started(Run run) implements Sent {}

        /** It waits at this place, counted from 1. */
        record Queued(QueuedMessage message, int position) implements Sent {}
    }

    /** What one transaction has stored. */
    private sealed interface Stored {
        record Turn(RunLauncher.Prepared run) implements Stored {}

        record Place(Sent.Queued queued) implements Stored {}
    }

    /**
     * Starts the turn of a message, or queues it if others come first and the caller wants it. A
     * message for another place than the head is never queued: that place may be gone from the
     * active path when its turn is due.
     */
    Sent send(
            Caller caller,
            TurnRequest request,
            WhenBusy whenBusy,
            @Nullable IdempotentOperation operation)
            throws IOException {
        Optional<ConversationId> chat = request.target().conversation();
        if (whenBusy == WhenBusy.REJECT
                || chat.isEmpty()
                || !(request.content() instanceof Message)
                || request.isElsewhere()) {
            return new Sent.Started(turns.start(caller, request, operation));
        }
        Optional<Run> earlier = launcher.findStarted(caller, operation);
        if (earlier.isPresent()) {
            return new Sent.Started(earlier.get());
        }
        turns.requireSelection(caller, request.selection());
        launcher.requireReady(chat);
        RunId run = RunLauncher.runId(operation);
        Stored stored = database.write(tx -> store(tx, caller, request, whenBusy, run));
        return switch (stored) {
            case Stored.Turn turn -> new Sent.Started(launcher.start(turn.run(), operation));
            case Stored.Place place -> {
                startSoon(chat.get()); // a paused queue goes on
                yield place.queued();
            }
        };
    }

    private Stored store(
            Transaction tx, Caller caller, TurnRequest request, WhenBusy whenBusy, RunId run) {
        Conversation chat = queue.lock(tx, caller, request.target().conversation().orElseThrow());
        if (chat.activeRunId() == null && queue.isEmpty(tx, chat.id())) {
            return new Stored.Turn(turns.prepare(tx, caller, request, run));
        }
        return new Stored.Place(queue.add(tx, chat, request, whenBusy, run));
    }

    /** Starts the next turn of a chat on another thread. */
    public void startSoon(ConversationId chat) {
        Thread.ofVirtual().name("queued-turn-" + chat.value()).start(() -> attempt(chat));
    }

    /** Starts the next turn of every chat that is free: after a crash, and after an outage. */
    public void sweep() {
        String after = "";
        while (executions.acceptsForwarded()) {
            String from = after;
            List<ConversationId> page = database.read(tx -> queue.chatsWithDue(tx, from, PAGE));
            if (page.isEmpty()) {
                return;
            }
            page.forEach(this::attempt);
            after = page.getLast().value();
        }
    }

    /** One chat does not keep the others. */
    private void attempt(ConversationId chat) {
        try {
            startNext(chat);
        } catch (RuntimeException | IOException e) {
            if (e instanceof RuntimeException failure && DatabaseOutage.of(failure).isPresent()) {
                LOG.warn("a queued turn waits for the database chatId={}", chat.value());
            } else {
                LOG.warn("a queued turn could not be started chatId={}", chat.value(), e);
            }
        }
    }

    /** Starts the next turn of a chat if it is free; does nothing when its queue is paused. */
    void startNext(ConversationId chat) throws IOException {
        Optional<QueuedMessage> due = findDue(chat);
        while (due.isPresent()) {
            try {
                launcher.requireReady(Optional.of(chat));
                QueuedMessage next = due.get();
                Optional<RunLauncher.Prepared> run = database.write(tx -> prepare(tx, next));
                if (run.isPresent()) {
                    Run _ = launcher.start(run.get(), null);
                    return;
                }
            } catch (SatchelException refusal) {
                if (isTransient(refusal.code())) {
                    return; // another server was faster, or the sweep tries again
                }
                refuse(due.get(), refusal);
            }
            due = findDue(chat); // the message was changed meanwhile, or the queue is paused now
        }
    }

    private Optional<QueuedMessage> findDue(ConversationId chat) {
        return executions.acceptsForwarded()
                ? database.read(tx -> queue.findDue(tx, chat))
                : Optional.empty();
    }

    /** Empty when the message was changed, removed or started meanwhile. */
    private Optional<RunLauncher.Prepared> prepare(Transaction tx, QueuedMessage next) {
        Caller caller = person(tx, next);
        Conversation chat = queue.lock(tx, caller, next.conversation());
        if (!queue.take(tx, next)) {
            return Optional.empty();
        }
        TurnRequest request =
                new TurnRequest(
                        new TurnRequest.Target.Existing(chat.id()),
                        Message.of(next.id(), next.text(), next.attachments()));
        return Optional.of(turns.prepare(tx, caller, request, next.run(), next.choice()));
    }

    /** The person who has sent a message, if they may still run it. */
    private Caller person(Transaction tx, QueuedMessage message) {
        Optional<User> user = users.find(tx, message.tenant(), message.user());
        boolean mayRun = user.filter(it -> it.role().includes(UserRole.MEMBER)).isPresent();
        if (!mayRun) {
            throw new SatchelException(
                    ErrorCode.FORBIDDEN, "the person of this chat may not run turns any more");
        }
        return Caller.onBehalfOf(message.tenant(), message.user());
    }

    private static boolean isTransient(ErrorCode code) {
        return code == ErrorCode.TURN_IN_PROGRESS
                || code == ErrorCode.TOO_MANY_RUNS
                || code.status() >= 500;
    }

    /** What would be refused again and again waits for a person, who sees the reason. */
    private void refuse(QueuedMessage message, SatchelException refusal) {
        LOG.warn(
                "a queued turn was refused, the queue is paused chatId={} messageId={} reason={}",
                message.conversation().value(),
                message.id().value(),
                refusal.text());
        database.change(tx -> queue.refuse(tx, message, refusal.text()));
    }
}
