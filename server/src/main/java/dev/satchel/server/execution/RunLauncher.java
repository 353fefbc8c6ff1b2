package dev.satchel.server.execution;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.IdempotentOperation;
import dev.satchel.http.SatchelException;
import dev.satchel.http.tracing.TraceContext;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.agent.AgentReference;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.DatabaseOutage;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.model.ModelRegistry;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunQueue;
import dev.satchel.server.run.RunSetup;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.RunTokens;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.runlog.RunRoutes;
import dev.satchel.server.skill.SkillReference;
import dev.satchel.server.skill.SkillService;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps that all starts of runs share: find the run of a repeated request, check that a run can
 * start, store the run in the caller's transaction, and start it after the commit, here or on the
 * node that has its workspace.
 */
public final class RunLauncher {
    private static final Logger LOG = LoggerFactory.getLogger(RunLauncher.class);
    private static final long FIRST_SEQ = 1;

    private final Database database;
    private final RunStore runs;
    private final RunLog log;
    private final RunTokens tokens;
    private final RunQueue queue;
    private final ModelRegistry models;
    private final SkillService skills;
    private final Executions executions;
    private final Optional<RunForwarding> forwarding;
    private final ReentrantLock admission = new ReentrantLock();

    /** What is stored of a new run. */
    public record Storage(RunStore runs, RunLog log, RunTokens tokens, RunQueue queue) {}

    /** What a run takes over when it is stored: its model and its skills. */
    public record Definitions(ModelRegistry models, SkillService skills) {}

    public RunLauncher(
            Database database,
            Storage storage,
            Definitions definitions,
            Executions executions,
            Optional<RunForwarding> forwarding) {
        this.database = database;
        this.runs = storage.runs();
        this.log = storage.log();
        this.tokens = storage.tokens();
        this.queue = storage.queue();
        this.models = definitions.models();
        this.skills = definitions.skills();
        this.executions = executions;
        this.forwarding = forwarding;
        executions.onPlaceFreed(this::admit);
        forwarding.ifPresent(it -> it.onForwarded(this::takeForwarded));
    }

    /** The run that an earlier sending of the request started: it has the id of the operation. */
    public Optional<Run> findStarted(Caller caller, @Nullable IdempotentOperation operation) {
        if (operation == null) {
            return Optional.empty();
        }
        RunId id = new RunId(operation.id());
        if (database.read(tx -> runs.find(tx, id)).isEmpty()) {
            return Optional.empty();
        }
        Run run =
                database.read(tx -> runs.findReadable(tx, caller, id))
                        .orElseThrow(RunRoutes::noSuchRun);
        operation.begun().run();
        return Optional.of(run);
    }

    /** The last run of a conversation. */
    public Optional<Run> findLatest(ConversationId conversation) {
        return database.read(tx -> runs.latest(tx, conversation));
    }

    /**
     * Refuses when no sandbox can run it, or when the newest files are away; ends a lost run that
     * still locks the conversation.
     */
    public void requireReady(Optional<ConversationId> conversation) throws IOException {
        executions.requireAvailable();
        if (conversation.isPresent()) {
            executions.endIfLost(conversation.get());
            executions.requireFiles(conversation.get());
        }
    }

    /** Refuses an id that the registry does not have, before anything is stored. */
    public void requireModel(@Nullable String id) {
        if (id != null) {
            models.require("model", id);
        }
    }

    /** An operation's id is the id of its run, so that a crash cannot lead to two runs. */
    public static RunId runId(@Nullable IdempotentOperation operation) {
        return operation == null ? RunId.random() : new RunId(operation.id());
    }

    /** The values of a run to start; a {@code notice} is for the first line of its log. */
    public record NewRun(
            RunId id,
            TenantId tenant,
            ConversationId conversation,
            @Nullable MessageId userMessageId,
            long generation,
            String prompt,
            RunSetup setup,
            @Nullable String notice) {}

    /** A run that is stored but not started. */
    public sealed interface Prepared {
        Run run();
    }

    private record Local(Run run, RunTokens.Minted tokens, Duration waited) implements Prepared {}

    private record Forwarded(Run run, NodeId to) implements Prepared {}

    private record Queued(Run run) implements Prepared {}

    public Prepared prepare(Transaction tx, NewRun values) {
        RunLease lease = executions.lease();
        long now = lease.now(tx);
        SkillService.Resolved resolved =
                skills.resolve(tx, values.tenant(), values.setup().skillNames());
        Run run =
                new Run(
                        values.id(),
                        values.tenant(),
                        values.conversation(),
                        values.userMessageId(),
                        agentId(values.setup()),
                        values.generation(),
                        values.prompt(),
                        complete(values.setup())
                                .withSkills(resolved.skills())
                                .tracedBy(TraceContext.current()),
                        RunStatus.RUNNING,
                        lease.owner(),
                        lease.until(now),
                        FIRST_SEQ,
                        now,
                        null);
        runs.insert(tx, run);
        queue.requireMayRun(tx, run);
        log.write(tx, run.id(), List.of(firstLine(run, notice(values, resolved))));
        Prepared prepared = prepareNext(tx, run);
        if (prepared instanceof Queued) {
            requireRoomInQueue(tx, values.tenant());
        }
        return prepared;
    }

    /** What a person should know of the agent: it has changed, or has lost a skill. */
    private static @Nullable String notice(NewRun values, SkillService.Resolved resolved) {
        String notice = values.notice();
        if (resolved.missing().isEmpty()) {
            return notice;
        }
        String missing =
                "The agent names skills that do not exist any more: "
                        + String.join(", ", resolved.missing())
                        + ".";
        return notice == null ? missing : notice + " " + missing;
    }

    /** An attempt of a run that is stored. */
    Prepared prepareNext(Transaction tx, Run run) {
        long now = executions.lease().now(tx);
        Optional<NodeId> other = forward(tx, run, now);
        return other.isPresent() ? new Forwarded(run, other.get()) : here(tx, run, now);
    }

    /** At once if this server has a place and nobody comes before the run, else in the queue. */
    private Prepared here(Transaction tx, Run run, long now) {
        if (queue.places().reserve(run.id())) {
            if (queue.mayStart(tx, run, now)) {
                return local(tx, run, now);
            }
            queue.places().release(run.id());
        }
        long position = queue.add(tx, run);
        log.write(tx, run.id(), List.of(queuedLine(run, position)));
        return new Queued(run);
    }

    /** Starts waiting runs here as long as this server has places, and shows the others theirs. */
    void admit() {
        if (!executions.acceptsForwarded()) {
            return;
        }
        try {
            admitAll();
        } catch (RuntimeException e) {
            if (DatabaseOutage.of(e).isEmpty() && executions.acceptsForwarded()) {
                LOG.warn("waiting runs could not be started", e); // the next attempt comes soon
            }
        }
    }

    private void admitAll() {
        admission.lock();
        try {
            RunId place = RunId.random();
            while (queue.places().reserve(place)) {
                Optional<Prepared> next = database.write(this::takeNext);
                next.ifPresent(this::start);
                queue.places().release(place);
                if (next.isEmpty()) {
                    break;
                }
            }
            List<RunQueue.Moved> moved = database.write(this::showPlaces);
            moved.forEach(it -> log.signal(it.run().id()));
        } finally {
            admission.unlock();
        }
    }

    private Optional<Prepared> takeNext(Transaction tx) {
        RunLease lease = executions.lease();
        long now = lease.now(tx);
        Optional<Run> next =
                queue.takeNext(
                        tx,
                        lease.owner(),
                        lease.until(now),
                        now,
                        it -> elsewhere(tx, it, now).isEmpty());
        if (next.isEmpty()) {
            return Optional.empty();
        }
        log.write(tx, next.get().id(), List.of(queuedLine(next.get(), 0)));
        return runs.find(tx, next.get().id()).map(run -> local(tx, run, now));
    }

    private List<RunQueue.Moved> showPlaces(Transaction tx) {
        List<RunQueue.Moved> moved = queue.move(tx);
        moved.forEach(
                it -> log.write(tx, it.run().id(), List.of(queuedLine(it.run(), it.position()))));
        return moved;
    }

    private static RunLogLine queuedLine(Run run, long position) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "queued");
        body.put("position", position);
        return new RunLogLine(run.lastSeq() + 1, "queued", Json.MAPPER.writeValueAsString(body));
    }

    private Optional<NodeId> elsewhere(Transaction tx, ConversationId conversation, long now) {
        return forwarding.flatMap(it -> it.target(tx, conversation, now));
    }

    RunLease lease() {
        return executions.lease();
    }

    private void requireRoomInQueue(Transaction tx, TenantId tenant) {
        int max = queue.maxWaiting();
        if (queue.count(tx, tenant) > max) {
            throw new SatchelException(
                            ErrorCode.TOO_MANY_RUNS,
                            max
                                    + " turns and runs of this workspace wait for a free place, which is the limit. Try again when some have ended.")
                    .withHeaders(Map.of("Retry-After", "5"));
        }
    }

    /** A run keeps its model, whatever becomes of the registry meanwhile. A command has none. */
    private RunSetup complete(RunSetup setup) {
        return setup.command() == null ? setup.with(models.complete(setup.model())) : setup;
    }

    /** Starts a run after the commit of the transaction that stored it. */
    public Run start(Prepared prepared, @Nullable IdempotentOperation operation) {
        start(prepared);
        if (operation != null) {
            operation.begun().run();
        }
        return prepared.run();
    }

    void start(Prepared prepared) {
        switch (prepared) {
            case Local local -> executions.start(local.run(), local.tokens(), local.waited());
            case Queued _ -> Thread.ofVirtual().name("run-queue").start(this::admit);
            case Forwarded forwarded ->
                    forwarding
                            .orElseThrow()
                            .signal(
                                    forwarded.to(),
                                    () -> take(forwarded.run().id(), forwarded.to()));
        }
    }

    /** Takes over the runs that other nodes have started and whose workspace is here. */
    public void takeForwarded() {
        if (forwarding.isPresent() && executions.acceptsForwarded()) {
            NodeId self = forwarding.get().self();
            database.read(tx -> runs.forwardedTo(tx, self)).forEach(id -> take(id, self));
        }
    }

    private void take(RunId id, NodeId forwardedTo) {
        if (executions.acceptsForwarded()) {
            database.write(tx -> take(tx, id, forwardedTo)).ifPresent(this::start);
        }
    }

    /** Empty when another process has the run, or it has ended. */
    private Optional<Prepared> take(Transaction tx, RunId id, NodeId forwardedTo) {
        RunLease lease = executions.lease();
        long now = lease.now(tx);
        return runs.takeForwarded(tx, id, forwardedTo, lease.owner(), lease.until(now))
                ? runs.find(tx, id).map(run -> here(tx, run, now))
                : Optional.empty();
    }

    private Prepared local(Transaction tx, Run run, long now) {
        Duration waited = Duration.ofMillis(Math.max(0, now - run.startedAt()));
        return new Local(run, tokens.mint(tx, run.id(), run.generation(), now), waited);
    }

    /** The other node that has the workspace and is to execute the run. */
    private Optional<NodeId> forward(Transaction tx, Run run, long now) {
        Optional<NodeId> other = elsewhere(tx, run.conversation(), now);
        other.ifPresent(node -> runs.forward(tx, run.id(), node));
        return other;
    }

    private static @Nullable AgentId agentId(RunSetup setup) {
        AgentReference agent = setup.agent();
        return agent == null ? null : new AgentId(agent.id());
    }

    /** Every stream begins with the ids of its conversation and agent. */
    private static RunLogLine firstLine(Run run, @Nullable String notice) {
        Map<String, Object> body = new LinkedHashMap<>();
        if (run.isHeadless()) {
            body.put("type", "run");
        } else {
            body.put("type", "chat");
            body.put("chatId", run.conversation().value());
            MessageId message = run.userMessageId();
            if (message != null) { // null for a command
                body.put("messageId", message.value());
            }
        }
        AgentReference agent = run.setup().agent();
        if (agent != null) {
            body.put("agentId", agent.id());
            body.put("agentVersion", agent.version());
        }
        List<SkillReference> used = run.setup().skills();
        if (!used.isEmpty()) {
            body.put("skills", used.stream().map(SkillReference::shown).toList());
        }
        if (notice != null) {
            body.put("notice", notice);
        }
        body.put("runId", run.id().value());
        return new RunLogLine(
                FIRST_SEQ, String.valueOf(body.get("type")), Json.MAPPER.writeValueAsString(body));
    }
}
