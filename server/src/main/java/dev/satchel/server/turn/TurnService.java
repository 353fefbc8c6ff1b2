package dev.satchel.server.turn;

import dev.satchel.server.access.Caller;
import dev.satchel.server.bag.BagFile;
import dev.satchel.server.bag.BagId;
import dev.satchel.server.bag.BagStore;
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.execution.RunLauncher;
import dev.satchel.server.file.FileId;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunId;
import dev.satchel.server.run.RunSetup;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * Begins turns. One short transaction takes the lease, claims the attachments, stores the user's
 * message and makes the run with its tokens; until it commits, a refusal is a plain HTTP error and
 * nothing has happened.
 */
public final class TurnService {
    private static final int TITLE_LENGTH = 80;

    private final Database database;
    private final ConversationStore conversations;
    private final BagStore bag;
    private final Executions executions;
    private final RunLauncher launch;
    private final Clock clock;

    public TurnService(
            Database database,
            ConversationStore conversations,
            BagStore bag,
            Executions executions,
            RunLauncher launch,
            Clock clock) {
        this.database = database;
        this.conversations = conversations;
        this.bag = bag;
        this.executions = executions;
        this.launch = launch;
        this.clock = clock;
    }

    /** Stores the message and sends its run on the way. */
    public Run begin(Caller caller, TurnRequest request, RunId id) {
        return begin(caller, request, id, RunSetup.plain(), (_, _) -> {});
    }

    /** Refuses a turn within its own transaction, when the conversation is already taken for it. */
    @FunctionalInterface
    public interface Admission {
        void require(Transaction tx, ConversationId chat);
    }

    /** As {@link #begin(Caller, TurnRequest, RunId)}, with an agent of the conversation's own. */
    public Run begin(
            Caller caller, TurnRequest request, RunId id, RunSetup setup, Admission admission) {
        executions.requireAvailable();
        request.conversation().ifPresent(executions::endIfLost);
        return launch.start(
                database.write(tx -> prepare(tx, caller, request, id, setup, admission)));
    }

    /** Refuses early while a turn is running, before anything is stored for another. */
    void requireFree(Caller caller, ConversationId chat) {
        database.read(tx -> conversations.find(tx, caller.tenant(), chat))
                .filter(found -> found.activeRunId() != null)
                .ifPresent(
                        busy -> {
                            throw ChatErrors.turnInProgress(busy);
                        });
    }

    /**
     * Takes the conversation for one command in its workspace, as a turn would take it; its thread
     * says nothing of it.
     */
    public Run beginCommand(
            Caller caller, ConversationId chat, RunId id, RunSetup setup, Admission admission) {
        executions.requireAvailable();
        executions.endIfLost(chat);
        return launch.start(database.write(tx -> prepare(tx, caller, chat, id, setup, admission)));
    }

    /** Ends a run that nobody waits for any more. */
    public void clientGone(RunId run) {
        executions.clientGone(run);
    }

    private RunLauncher.Prepared prepare(
            Transaction tx,
            Caller caller,
            ConversationId chat,
            RunId runId,
            RunSetup setup,
            Admission admission) {
        long generation = take(tx, caller, chat, MessageId.random(), runId, clock.millis());
        admission.require(tx, chat);
        return launch.prepare(
                tx,
                new RunLauncher.Draft(
                        runId,
                        caller.tenant(),
                        chat,
                        null,
                        null,
                        generation,
                        Objects.requireNonNull(setup.command()).line(),
                        setup,
                        files(tx, chat)));
    }

    private RunLauncher.Prepared prepare(
            Transaction tx,
            Caller caller,
            TurnRequest request,
            RunId runId,
            RunSetup setup,
            Admission admission) {
        long now = clock.millis();
        MessageId messageId = request.messageId();
        ConversationId chat =
                request.conversation().orElseGet(() -> create(tx, caller, request, now));
        long generation = take(tx, caller, chat, messageId, runId, now);
        admission.require(tx, chat);
        if (conversations.hasEnded(tx, chat)) {
            throw ChatErrors.ended();
        }
        if (conversations.hasMessage(tx, chat, messageId)) {
            throw ChatErrors.messageExists(chat.value());
        }
        List<FileAttachment> attached = attach(tx, chat, messageId, request.attachments());
        conversations.titleIfAbsent(tx, chat, title(request.message()));
        conversations.append(tx, chat, userMessage(messageId, request.message(), attached, now));
        return launch.prepare(
                tx,
                new RunLauncher.Draft(
                        runId,
                        caller.tenant(),
                        chat,
                        messageId.value(),
                        null,
                        generation,
                        request.message(),
                        setup,
                        files(tx, chat)));
    }

    private List<String> files(Transaction tx, ConversationId chat) {
        return bag.list(tx, new BagId.OfConversation(chat)).stream()
                .map(file -> file.id().value())
                .toList();
    }

    private ConversationId create(Transaction tx, Caller caller, TurnRequest request, long now) {
        ConversationId id = ConversationId.random();
        conversations.create(tx, caller.tenant(), id, null, request.workflowId(), now);
        return id;
    }

    private long take(
            Transaction tx,
            Caller caller,
            ConversationId chat,
            MessageId message,
            RunId run,
            long now) {
        OptionalLong generation =
                conversations.take(tx, caller.tenant(), chat, message, run.value(), now);
        if (generation.isPresent()) {
            return generation.getAsLong();
        }
        Conversation busy =
                conversations.find(tx, caller.tenant(), chat).orElseThrow(ChatErrors::noSuchChat);
        throw ChatErrors.turnInProgress(busy);
    }

    private List<FileAttachment> attach(
            Transaction tx, ConversationId chat, MessageId message, List<FileId> ids) {
        List<FileAttachment> attached = new ArrayList<>();
        for (FileId id : ids) {
            BagFile file =
                    bag.find(tx, new BagId.OfConversation(chat), id)
                            .orElseThrow(() -> ChatErrors.unknownAttachment(id.value()));
            bag.attach(tx, chat, id, message);
            attached.add(file.attachment());
        }
        return attached;
    }

    private static PersistedMessage userMessage(
            MessageId id, String text, List<FileAttachment> attached, long now) {
        return new PersistedMessage(
                id.value(), Role.USER, List.of(new ContentBlock.Text(text)), attached, null, now);
    }

    /** The first line of the first message, until somebody renames the chat. */
    private static String title(String message) {
        String line = message.strip().lines().findFirst().orElse("").strip();
        return line.codePointCount(0, line.length()) <= TITLE_LENGTH
                ? line
                : line.substring(0, line.offsetByCodePoints(0, TITLE_LENGTH - 1)) + "…";
    }
}
