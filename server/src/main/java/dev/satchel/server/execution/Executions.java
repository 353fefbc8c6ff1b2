package dev.satchel.server.execution;

import static java.util.Comparator.comparing;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.Dispatch;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.run.Run;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.ServerProcessId;
import dev.satchel.server.runlog.RunLog;
import dev.satchel.server.schedule.Scheduler;
import dev.satchel.server.workspace.WorkspaceManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of this server: starts them, keeps their leases, stops those that are silent or too
 * long, and ends the runs of servers that died.
 */
public final class Executions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Executions.class);
    private static final Duration CLOSING = Duration.ofSeconds(3);

    private final Database database;
    private final RunStore runs;
    private final RunLog log;
    private final Optional<SandboxClient> sandbox;
    private final WorkspaceManager workspaces;
    private final RunSettlement settlements;
    private final StopRequests stops;
    private final ExecutionLimits limits;
    private final RunClocks clocks;
    private final Map<RunId, Execution> active = new ConcurrentHashMap<>();
    private final Scheduler scheduler = new Scheduler("leases");
    private volatile boolean reachable;
    private volatile boolean closing;

    public Executions(
            Database database,
            RunStore runs,
            RunLog log,
            Optional<SandboxClient> sandbox,
            WorkspaceManager workspaces,
            RunSettlement settlements,
            ExecutionLimits limits,
            RunClocks clocks) {
        this.database = database;
        this.runs = runs;
        this.log = log;
        this.sandbox = sandbox;
        this.workspaces = workspaces;
        this.settlements = settlements;
        this.stops = new StopRequests(database, runs, log, limits.stopping(), clocks.leases());
        this.limits = limits;
        this.clocks = clocks;
        scheduler.every(limits.sweep(), this::sweepLost); // before what would hide its mistakes
        scheduler.every(limits.renewal(), this::renewLeases);
        scheduler.every(limits.sweep(), this::stopOverdue);
        scheduler.every(limits.look(), this::heedStops);
        log.onSignal(run -> find(run).ifPresent(this::lookAgain));
        scheduler.every(limits.sweep(), this::reapSandboxes);
    }

    /** Refuses when there is nothing to dispatch to; asked before a token is made. */
    public void requireAvailable() {
        if (!isAvailable()) {
            throw new SatchelException(
                    ErrorCode.SANDBOX_NOT_CONFIGURED,
                    "there is no sandbox to run this: set SANDBOX_URL or start with a runner");
        }
    }

    private boolean isAvailable() {
        return sandbox.isPresent() && !closing;
    }

    /** From now on runs reach us with what they ask, so those of others may be taken over. */
    public void nowReachable() {
        reachable = true;
    }

    boolean takesOffers() {
        return reachable && isAvailable();
    }

    /** Starts a run whose row, tokens and first line are committed. */
    void start(Run run, Supplier<Dispatch> dispatch) {
        Execution execution =
                new Execution(
                        run,
                        dispatch,
                        log.open(run.id(), run.generation(), run.lastSeq()),
                        sandbox.orElseThrow(),
                        workspaces,
                        settlements,
                        clocks.steady());
        active.put(run.id(), execution);
        LOG.info("run started runId={} generation={}", run.id().value(), run.generation());
        Thread.ofVirtual()
                .name("run-" + run.id().value())
                .start(
                        () -> {
                            try {
                                execution.execute();
                            } finally {
                                active.remove(run.id());
                            }
                        });
    }

    /** How many runs are on at this server. */
    public int count() {
        return active.size();
    }

    public Optional<Execution> find(RunId run) {
        return Optional.ofNullable(active.get(run));
    }

    /** Cancels a run when the client of this request closes the connection. */
    public void cancelOnDisconnect(Exchange exchange, RunId run) {
        exchange.onDisconnect(() -> cancelForClient(run));
    }

    private void cancelForClient(RunId run) {
        find(run)
                .ifPresentOrElse(
                        execution -> execution.stop(StopReason.CLIENT_GONE),
                        () -> stops.leaveWord(run, StopReason.CLIENT_GONE));
    }

    /** Ends a run, wherever it runs, and returns once its conversation is free. */
    public void stop(Run run, StopReason reason) throws InterruptedException {
        Optional<Execution> here = find(run.id());
        here.ifPresent(execution -> execution.stop(reason));
        if (here.isPresent() && here.get().awaitSettled(limits.stopping())) {
            return;
        }
        if (here.isEmpty() && stops.ask(run, reason)) {
            return;
        }
        // Dead or stuck: the row decides, and its owner finds out at its next write.
        settlements.settleFromLog(run, reason);
    }

    /** Frees a conversation whose turn was lost, without waiting for the next sweep. */
    public void endIfLost(ConversationId conversation) {
        database.read(
                        tx ->
                                runs.latest(tx, conversation)
                                        .filter(run -> run.status() == RunStatus.RUNNING)
                                        .filter(run -> run.leaseUntil() < clocks.leases().now(tx)))
                .ifPresent(this::endLost);
    }

    /**
     * Ends every run that is not ours, without waiting for its lease: for a database that only one
     * server at a time can open, so that whoever ran them is dead.
     */
    public void endThoseOfDeadServers() {
        List<Run> lost;
        do {
            lost = database.read(tx -> runs.expired(tx, Long.MAX_VALUE));
            lost.forEach(this::endLost);
        } while (!lost.isEmpty());
    }

    /** Everything that is looked after every few seconds, now. */
    public void sweep() {
        scheduler.runAll();
    }

    /** Ends the runs whose owner has gone silent. */
    public void sweepLost() {
        for (Run run : database.read(tx -> runs.expired(tx, clocks.leases().now(tx)))) {
            endLost(run);
        }
    }

    /** Ends every run of this server; their threads show where they were interrupted. */
    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        scheduler.close();
        active.values().forEach(execution -> execution.stop(StopReason.SHUTDOWN));
        long deadline = System.nanoTime() + CLOSING.toNanos();
        try {
            for (Execution execution : active.values()) {
                execution.awaitSettled(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sandbox.ifPresent(SandboxClient::close);
    }

    /** A run of ours whose lease ran out while this server stood still is renewed, not ended. */
    private void endLost(Run run) {
        Optional<Execution> ours = find(run.id());
        if (ours.isPresent()) {
            renew(List.of(ours.get()));
            return;
        }
        if (settlements.settleFromLog(run, StopReason.OWNER_LOST)) {
            LOG.warn("ended a run without an owner runId={}", run.id().value());
        }
    }

    private void renewLeases() {
        renew(List.copyOf(active.values()));
    }

    /**
     * One transaction for all, in the order of their ids, as the log writes; whoever is no longer
     * ours is torn down.
     */
    private void renew(List<Execution> ours) {
        if (ours.isEmpty()) {
            return;
        }
        List<Execution> lost =
                database.write(
                        tx -> {
                            long until = clocks.leases().now(tx) + limits.lease().toMillis();
                            return ours.stream()
                                    .sorted(comparing(run -> run.run().id().value()))
                                    .filter(run -> !runs.renew(tx, run.run(), until))
                                    .toList();
                        });
        lost.forEach(execution -> execution.stop(StopReason.STALE));
    }

    /** Another server wants something of our run, or has ended it. */
    private void lookAgain(Execution execution) {
        Thread.ofVirtual()
                .name("signal-" + execution.run().id().value())
                .start(
                        () -> {
                            heedStops();
                            renew(List.of(execution));
                        });
    }

    private void heedStops() {
        Optional<ServerProcessId> owner =
                active.values().stream().findFirst().map(e -> e.run().owner());
        owner.map(stops::to)
                .orElse(Map.of())
                .forEach((run, reason) -> find(run).ifPresent(execution -> execution.stop(reason)));
    }

    /** A server that died has left its sandboxes; its runs are settled by then, or soon. */
    private void reapSandboxes() {
        sandbox.ifPresent(client -> client.reap(this::isRunning));
    }

    private boolean isRunning(RunId id) {
        return database.read(tx -> runs.find(tx, id))
                .filter(run -> run.status() == RunStatus.RUNNING)
                .isPresent();
    }

    private void stopOverdue() {
        for (Execution execution : active.values()) {
            Optional<Duration> sinceAnswer = execution.sinceAnswer();
            if (sinceAnswer.isPresent()) {
                if (sinceAnswer.get().compareTo(limits.drain()) > 0) {
                    execution.stop(
                            StopReason.IDLE); // the answer stands; only the connection is cut
                }
            } else if (execution.age().compareTo(limits.run()) > 0) {
                execution.stop(StopReason.RUN_LIMIT);
            } else if (execution.silence().compareTo(limits.idle()) > 0) {
                execution.stop(StopReason.IDLE);
            }
        }
    }
}
