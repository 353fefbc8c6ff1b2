package dev.satchel.server.turn;

import dev.satchel.http.IdempotentOperation;
import dev.satchel.server.access.Caller;
import dev.satchel.server.agent.AgentChoice;
import dev.satchel.server.branch.HeadMover;
import dev.satchel.server.conversation.ChatErrors;
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
import dev.satchel.server.queue.QueueStore;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.turn.TurnRequest.Command;
import dev.satchel.server.turn.TurnRequest.Message;
import dev.satchel.server.turn.TurnRequest.Place;
import dev.satchel.server.turn.TurnRequest.Regeneration;
import dev.satchel.server.turn.TurnRequest.Target;
import dev.satchel.server.upload.UploadClaims;
import dev.satchel.server.workspace.SessionErrors;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
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
    private final QueueStore queues;
    private final ChatAgents agents;
    private final RunLauncher launcher;
    private final HeadMover heads;
    private final Clock clock;

    /** What the database has of the conversations in which turns start. */
    public record Stored(ConversationStore conversations, QueueStore queues, ChatAgents agents) {}

    public TurnService(
            Database database,
            Stored stored,
            TurnFiles files,
            RunLauncher launcher,
            HeadMover heads,
            Clock clock) {
        this.database = database;
        this.conversations = stored.conversations();
        this.files = files;
        this.queues = stored.queues();
        this.agents = stored.agents();
        this.launcher = launcher;
        this.heads = heads;
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
        requireSelection(caller, request.selection());
        launcher.requireReady(request.target().conversation());
        TurnRequest stored = storeFiles(caller, request);
        Optional<Run> repeated = findRepeated(request, stored);
        if (repeated.isPresent()) {
            return repeated.get();
        }
        RunId id = RunLauncher.runId(operation);
        return launcher.start(prepare(caller, stored, id), operation);
    }

    /** A turn at another place than the head begins with the files of that place. */
    private RunLauncher.Prepared prepare(Caller caller, TurnRequest request, RunId run)
            throws IOException {
        Function<Transaction, RunLauncher.Prepared> prepared =
                tx -> prepare(tx, caller, request, run);
        if (!request.isElsewhere()) {
            return database.write(prepared);
        }
        Conversation chat =
                database.write(tx -> find(tx, caller, requireReady(tx, caller, request.target())));
        OptionalLong place = database.read(tx -> place(tx, chat.id(), request));
        return place.isEmpty() || place.getAsLong() == chat.headSeq()
                ? database.write(prepared)
                : move(chat, place.getAsLong(), prepared);
    }

    private RunLauncher.Prepared move(
            Conversation chat, long place, Function<Transaction, RunLauncher.Prepared> prepared)
            throws IOException {
        try {
            return heads.move(chat, place, prepared).result();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while files were brought");
        }
    }

    /** The number of the message that the new one follows; empty if that is the head. */
    private OptionalLong place(Transaction tx, ConversationId chat, TurnRequest request) {
        return switch (request.content()) {
            case Command _ -> OptionalLong.empty();
            case Regeneration(MessageId message) -> OptionalLong.of(requireUser(tx, chat, message));
            case Message _ ->
                    switch (request.place()) {
                        case Place.AfterHead _ -> OptionalLong.empty();
                        case Place.First _ -> OptionalLong.of(0);
                        case Place.After(MessageId parent) ->
                                OptionalLong.of(seq(tx, chat, parent));
                    };
        };
    }

    private long seq(Transaction tx, ConversationId chat, MessageId message) {
        return conversations
                .threads()
                .seqOf(tx, chat, message)
                .orElseThrow(ChatErrors::noSuchMessage);
    }

    /** The number of a message, which must be one of the user. */
    private long requireUser(Transaction tx, ConversationId chat, MessageId message) {
        long seq = seq(tx, chat, message);
        if (conversations.messages().get(tx, chat, seq).role() != Role.USER) {
            throw ChatErrors.notOfUser();
        }
        return seq;
    }

    /** Refuses an unknown agent or model before anything is stored. */
    void requireSelection(Caller caller, AgentSelection selection) {
        if (!selection.equals(AgentSelection.KEEP)) {
            database.read(
                    tx -> {
                        agents.require(tx, caller, selection);
                        return selection;
                    });
        }
    }

    /** Stores the bytes before the transaction, which must not wait for a disk. */
    private TurnRequest storeFiles(Caller caller, TurnRequest request) throws IOException {
        if (!(request.content() instanceof Message message)
                || (message.uploads().isEmpty() && message.inlineFiles().isEmpty())) {
            return request;
        }
        if (request.target() instanceof Target.NewConversation) {
            ConversationId created = files.claimIntoNew(caller, message.uploads());
            return request.stored(
                    new Target.Existing(created), files.store(caller, created, message));
        }
        ConversationId conversation =
                database.write(tx -> requireReady(tx, caller, request.target()));
        return request.stored(request.target(), files.store(caller, conversation, message));
    }

    /** Refuses a busy conversation or an inactive session before files are stored in it. */
    private ConversationId requireReady(Transaction tx, Caller caller, Target target) {
        Conversation found = find(tx, caller, ensure(tx, caller, target, clock.millis()));
        requireActive(tx, found.id());
        if (found.activeRunId() != null) {
            throw ChatErrors.turnInProgress(found);
        }
        return found.id();
    }

    /** Uploads are claimed once: the conversation that has them belongs to the same request. */
    private Optional<Run> findRepeated(TurnRequest request, TurnRequest stored) {
        if (request.target().equals(stored.target())) {
            return Optional.empty();
        }
        Optional<Run> latest = stored.target().conversation().flatMap(launcher::findLatest);
        if (latest.isPresent() && !latest.get().prompt().equals(prompt(stored))) {
            throw UploadClaims.noSuchFile(); // another request has claimed the files
        }
        return latest;
    }

    /** The prompt of the run of a request whose files are stored. */
    private String prompt(TurnRequest stored) {
        return switch (stored.content()) {
            case Command command -> command.command().line();
            case Regeneration _ -> throw new IllegalStateException("it has no files to store");
            case Message message -> {
                ConversationId id = stored.target().conversation().orElseThrow();
                yield database.read(tx -> message(message, files.find(tx, id, message), 0))
                        .prompt();
            }
        };
    }

    /** Stores the message and the run of a request whose files are stored. */
    RunLauncher.Prepared prepare(Transaction tx, Caller caller, TurnRequest request, RunId run) {
        return prepare(tx, caller, request, run, null);
    }

    /** {@code posted} is what a message that was queued keeps, whatever the chat has now. */
    RunLauncher.Prepared prepare(
            Transaction tx,
            Caller caller,
            TurnRequest request,
            RunId run,
            @Nullable AgentChoice posted) {
        long now = clock.millis();
        ConversationId conversation = ensure(tx, caller, request.target(), now);
        MessageId messageId =
                switch (request.content()) {
                    case Message it -> it.id();
                    case Regeneration it -> it.message();
                    case Command _ -> null;
                };
        long generation = lock(tx, caller, conversation, messageId, run, now);
        requireActive(tx, conversation);
        String prompt =
                switch (request.content()) {
                    case Message it -> {
                        place(tx, conversation, request)
                                .ifPresent(seq -> heads.setHead(tx, conversation, seq));
                        yield append(tx, conversation, it, now).prompt();
                    }
                    case Regeneration(MessageId of) ->
                            again(tx, conversation, requireUser(tx, conversation, of)).prompt();
                    case Command command -> command.command().line();
                };
        AgentChoice choice =
                posted == null
                        ? agents.select(tx, caller, conversation, request.selection())
                        : posted;
        ChatAgents.Selected selected = agents.resolve(tx, caller.tenant(), conversation, choice);
        agents.forgetMissing(tx, conversation, selected);
        return launcher.prepare(
                tx,
                new RunLauncher.NewRun(
                        run,
                        caller.tenant(),
                        conversation,
                        messageId,
                        generation,
                        prompt,
                        setup(request, selected.setup()),
                        selected.notice()));
    }

    private ConversationId ensure(Transaction tx, Caller caller, Target target, long now) {
        return switch (target) {
            case Target.Existing existing -> existing.id();
            case Target.CreatedIfAbsent named -> {
                conversations.createIfAbsent(tx, caller, named.id(), now);
                yield named.id();
            }
            case Target.NewConversation it -> {
                ConversationId id = ConversationId.random();
                conversations.create(tx, caller, id, null, it.workflowId(), now);
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
        OptionalLong generation = conversations.take(tx, caller, conversation, active, run, now);
        return generation.orElseThrow(
                () -> ChatErrors.turnInProgress(find(tx, caller, conversation)));
    }

    private Conversation find(Transaction tx, Caller caller, ConversationId id) {
        return conversations.find(tx, caller, id).orElseThrow(ChatErrors::noSuchChat);
    }

    /**
     * Refuses a session that is not active, for every protocol alike. With the lock taken, the
     * status cannot change.
     */
    private void requireActive(Transaction tx, ConversationId conversation) {
        SessionStatus status = conversations.reading().sessionStatus(tx, conversation);
        switch (status) {
            case ACTIVE -> {}
            case PAUSED, STOPPED -> throw SessionErrors.notActive(status);
            case ENDED -> throw SessionErrors.ended();
        }
    }

    /** Goes back to a message of the user, so that the next answer follows it. */
    private PersistedMessage again(Transaction tx, ConversationId conversation, long seq) {
        heads.setHead(tx, conversation, seq);
        boolean _ = queues.resume(tx, conversation); // a person has gone on
        return conversations.messages().get(tx, conversation, seq);
    }

    private PersistedMessage append(
            Transaction tx, ConversationId conversation, Message message, long now) {
        if (conversations.messages().seqOf(tx, conversation, message.id()).isPresent()) {
            throw ChatErrors.messageExists(conversation.value());
        }
        PersistedMessage stored = message(message, files.attach(tx, conversation, message), now);
        conversations.titleIfAbsent(tx, conversation, title(stored));
        conversations.threads().append(tx, conversation, stored);
        boolean _ = queues.resume(tx, conversation); // a person has gone on
        return stored;
    }

    /** A message of files only has no content. */
    private static PersistedMessage message(
            Message message, List<FileAttachment> attached, long now) {
        return new PersistedMessage(
                message.id().value(),
                Role.USER,
                message.text().isBlank()
                        ? List.of()
                        : List.of(new ContentBlock.Text(message.text())),
                attached,
                null,
                now);
    }

    private static RunSetup setup(TurnRequest request, RunSetup setup) {
        return switch (request.content()) {
            case Message _, Regeneration _ -> setup.withInstructions(request.instructions());
            case Command command -> setup.running(command.command());
        };
    }

    /** The first line of the first message, or the names of its files, until it is renamed. */
    private static String title(PersistedMessage message) {
        String text = message.text().isBlank() ? message.fileNames() : message.text();
        String line = text.strip().lines().findFirst().orElse("").strip();
        return line.codePointCount(0, line.length()) <= TITLE_LENGTH
                ? line
                : line.substring(0, line.offsetByCodePoints(0, TITLE_LENGTH - 1)) + "…";
    }
}
