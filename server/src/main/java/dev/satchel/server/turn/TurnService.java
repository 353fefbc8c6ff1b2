package dev.satchel.server.turn;

import dev.satchel.http.IdempotentOperation;
import dev.satchel.server.access.Caller;
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.conversation.SessionStatus;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.execution.RunLauncher;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.turn.TurnRequest.Command;
import dev.satchel.server.turn.TurnRequest.Message;
import dev.satchel.server.turn.TurnRequest.Target;
import dev.satchel.server.upload.UploadClaims;
import dev.satchel.server.workspace.SessionErrors;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Starts the runs of conversations, for every protocol. One short transaction takes the lock of the
 * conversation, attaches the files, stores the user's message and creates the run with its tokens;
 * until it commits, a refusal is a plain HTTP error.
 */
public final class TurnService {
    private static final int TITLE_LENGTH = 80;

    private final Database database;
    private final ConversationStore conversations;
    private final TurnFiles files;
    private final RunLauncher launcher;
    private final Clock clock;

    public TurnService(
            Database database,
            ConversationStore conversations,
            TurnFiles files,
            RunLauncher launcher,
            Clock clock) {
        this.database = database;
        this.conversations = conversations;
        this.files = files;
        this.launcher = launcher;
        this.clock = clock;
    }

    /**
     * Starts the run of a request, or returns the run that an earlier sending of the same request
     * has started.
     *
     * @param operation identifies the request when it has an idempotency key
     */
    public Run start(Caller caller, TurnRequest request, @Nullable IdempotentOperation operation)
            throws IOException {
        Optional<Run> earlier = launcher.findStarted(caller, operation);
        if (earlier.isPresent()) {
            return earlier.get();
        }
        launcher.requireReady(request.target().conversation());
        TurnRequest stored = storeFiles(caller, request);
        Optional<Run> repeated = findRepeated(request, stored);
        if (repeated.isPresent()) {
            return repeated.get();
        }
        RunId id = RunLauncher.runId(operation);
        RunLauncher.Prepared run = database.write(tx -> prepare(tx, caller, stored, id));
        return launcher.start(run, operation);
    }

    /** Stores the bytes before the transaction, which must not wait for a disk. */
    private TurnRequest storeFiles(Caller caller, TurnRequest request) throws IOException {
        if (!(request.content() instanceof Message message)
                || (message.uploads().isEmpty() && message.inlineFiles().isEmpty())) {
            return request;
        }
        Target target = request.target();
        if (target instanceof Target.NewConversation) {
            target = new Target.Existing(files.claimIntoNew(caller.tenant(), message.uploads()));
        }
        if (target instanceof Target.CreatedIfAbsent named) {
            database.change(tx -> requireFree(tx, caller, named));
        }
        ConversationId conversation = target.conversation().orElseThrow();
        return new TurnRequest(target, files.store(caller.tenant(), conversation, message));
    }

    /** Refuses a busy conversation before files are stored in it. */
    private void requireFree(Transaction tx, Caller caller, Target.CreatedIfAbsent target) {
        Conversation found = find(tx, caller, ensure(tx, caller, target, clock.millis()));
        if (found.activeRunId() != null) {
            throw ChatErrors.turnInProgress(found);
        }
    }

    /** Uploads are claimed once: the conversation that has them belongs to the same request. */
    private Optional<Run> findRepeated(TurnRequest request, TurnRequest stored) {
        if (request.target().equals(stored.target())) {
            return Optional.empty();
        }
        Optional<Run> latest = stored.target().conversation().flatMap(launcher::findLatest);
        if (latest.isPresent() && !latest.get().prompt().equals(prompt(request))) {
            throw UploadClaims.noSuchFile(); // another request has claimed the files
        }
        return latest;
    }

    private RunLauncher.Prepared prepare(
            Transaction tx, Caller caller, TurnRequest request, RunId run) {
        long now = clock.millis();
        ConversationId conversation = ensure(tx, caller, request.target(), now);
        Message message = request.content() instanceof Message it ? it : null;
        MessageId messageId = message == null ? null : message.id();
        long generation = lock(tx, caller, conversation, messageId, run, now);
        requireOpen(tx, conversation, request.target());
        if (message != null) {
            append(tx, conversation, message, now);
        }
        return launcher.prepare(
                tx,
                new RunLauncher.NewRun(
                        run,
                        caller.tenant(),
                        conversation,
                        messageId,
                        null,
                        generation,
                        prompt(request),
                        setup(request),
                        files.list(tx, conversation)));
    }

    private ConversationId ensure(Transaction tx, Caller caller, Target target, long now) {
        return switch (target) {
            case Target.Existing existing -> existing.id();
            case Target.ActiveSession session -> session.id();
            case Target.CreatedIfAbsent named -> {
                conversations.createIfAbsent(tx, caller.tenant(), named.id(), now);
                yield named.id();
            }
            case Target.NewConversation it -> {
                ConversationId id = ConversationId.random();
                conversations.create(tx, caller.tenant(), id, null, it.workflowId(), now);
                yield id;
            }
        };
    }

    /** Takes the lock of the conversation; returns the generation of the new run. */
    private long lock(
            Transaction tx,
            Caller caller,
            ConversationId conversation,
            @Nullable MessageId message,
            RunId run,
            long now) {
        MessageId active = message == null ? MessageId.random() : message;
        OptionalLong generation =
                conversations.take(tx, caller.tenant(), conversation, active, run, now);
        return generation.orElseThrow(
                () -> ChatErrors.turnInProgress(find(tx, caller, conversation)));
    }

    private Conversation find(Transaction tx, Caller caller, ConversationId id) {
        return conversations.find(tx, caller.tenant(), id).orElseThrow(ChatErrors::noSuchChat);
    }

    /** With the lock taken, the status of the session cannot change. */
    private void requireOpen(Transaction tx, ConversationId conversation, Target target) {
        SessionStatus status = conversations.sessionStatus(tx, conversation);
        if (target instanceof Target.ActiveSession && status != SessionStatus.ACTIVE) {
            throw SessionErrors.invalid("Session is " + status.wireName());
        }
        if (status == SessionStatus.ENDED) {
            throw ChatErrors.ended();
        }
    }

    private void append(Transaction tx, ConversationId conversation, Message message, long now) {
        if (conversations.hasMessage(tx, conversation, message.id())) {
            throw ChatErrors.messageExists(conversation.value());
        }
        List<FileAttachment> attached = files.attach(tx, conversation, message);
        conversations.titleIfAbsent(tx, conversation, title(message.text()));
        conversations.append(
                tx,
                conversation,
                new PersistedMessage(
                        message.id().value(),
                        Role.USER,
                        List.of(new ContentBlock.Text(message.text())),
                        attached,
                        null,
                        now));
    }

    private static String prompt(TurnRequest request) {
        return switch (request.content()) {
            case Message message -> message.text();
            case Command command -> command.command().line();
        };
    }

    private static RunSetup setup(TurnRequest request) {
        RunSetup setup = request.target().setup();
        return switch (request.content()) {
            case Message _ -> setup;
            case Command command -> setup.running(command.command());
        };
    }

    /** The first line of the first message, until the chat is renamed. */
    private static String title(String message) {
        String line = message.strip().lines().findFirst().orElse("").strip();
        return line.codePointCount(0, line.length()) <= TITLE_LENGTH
                ? line
                : line.substring(0, line.offsetByCodePoints(0, TITLE_LENGTH - 1)) + "…";
    }
}
