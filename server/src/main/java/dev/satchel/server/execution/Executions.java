package dev.satchel.server.execution;

import static java.util.Comparator.comparing;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.DatabaseOutage;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunLogContext;
import dev.satchel.server.run.RunStatus;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.run.RunTokens;
import dev.satchel.server.runlog.RunLogWriter;
import dev.satchel.server.schedule.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executions of this server: starts them, renews their leases, stops those that are silent or
 * take too long, and ends the runs of servers that died.
 */
public final class Executions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Executions.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);
    private static final String NO_RUNNER =
            "there is no sandbox to run this: set SANDBOX_URL or start with a runner";

    private final Database database;
    private final RunStore runs;
    private final ExecutionServices services;
    private final RunLease lease;
    private final ExecutionLimits limits;
    private final StopRequests stopRequests;
    private final LostRuns lost;
    private final Map<RunId, Execution> active = new ConcurrentHashMap<>();
    private final Scheduler scheduler = new Scheduler("leases");
    private volatile @Nullable RunContinuation continuation;
    private volatile Runnable placeFreed = () -> {};
    private volatile boolean reachable;
    private volatile boolean draining;
    private boolean closed; // guarded by this

    public Executions(
            Database database,
            RunStore runs,
            ExecutionServices services,
            RunLease lease,
            ExecutionLimits limits) {
        this.database = database;
        this.runs = runs;
        this.services = services;
        this.lease = lease;
        this.limits = limits;
        this.stopRequests = new StopRequests(database, runs, services, lease, limits.stopping());
        this.lost = new LostRuns(database, runs, lease, limits.renewal(), services.clock());
        scheduler.every(limits.sweep(), this::endLostRuns); // first, before leases are renewed
        scheduler.every(limits.renewal(), () -> renew(List.copyOf(active.values())));
        scheduler.every(
                limits.sweep(),
                () -> active.values().forEach(execution -> execution.stopIfOverdue(limits)));
        scheduler.every(limits.look(), this::applyStopRequests);
        services.log().onSignal(run -> find(run).ifPresent(this::checkAfterSignal));
        scheduler.every(limits.sweep(), this::removeLostSandboxes);
    }

    RunLease lease() {
        return lease;
    }

    /** Calls the listener when a run has ended here, and every second. */
    void onPlaceFreed(Runnable listener) {
        placeFreed = listener;
        scheduler.every(limits.look(), listener);
    }

    /** Refuses when the server is being stopped or there is no sandbox to dispatch to. */
    public void requireAvailable() {
        if (draining) {
            throw new SatchelException(
                    ErrorCode.SHUTTING_DOWN, "this server is being stopped, send the turn again");
        }
        if (!isAvailable()) {
            throw new SatchelException(
                    ErrorCode.SANDBOX_NOT_CONFIGURED,
                    services.sandbox().flatMap(SandboxClient::unavailable).orElse(NO_RUNNER));
        }
    }

    private boolean isAvailable() {
        Optional<SandboxClient> sandbox = services.sandbox();
        return !draining && sandbox.isPresent() && sandbox.get().unavailable().isEmpty();
    }

    /** Lost runs are continued with it, where that is possible. */
    public void continueWith(RunContinuation given) {
        continuation = given;
    }

    /** From now on sandboxes can call back to this server, so it may take runs of other nodes. */
    public void nowReachable() {
        reachable = true;
        Thread.ofVirtual().name("lost-runs").start(this::endLostRuns);
    }

    /** Whether this server can start runs that no request waits for. */
    public boolean acceptsForwarded() {
        return reachable && isAvailable();
    }

    /** Starts a run whose row, tokens and first line are committed. */
    void start(Run run, RunTokens.Minted tokens, Duration waited) {
        RunLogWriter log = services.log().open(run.id(), run.generation(), run.lastSeq());
        Execution execution = new Execution(run, tokens, log, services, this::release);
        services.queue().places().occupy(run.id());
        active.put(run.id(), execution);
        LOG.info(
                "run started runId={} chatId={} generation={}",
                run.id().value(),
                run.conversation().value(),
                run.generation());
        services.observer().started(run, waited);
        Thread.ofVirtual().name("run-" + run.id().value()).start(() -> execute(execution));
    }

    private void execute(Execution execution) {
        RunLogContext.set(execution.run());
        try {
            execution.execute();
        } finally {
            active.remove(execution.run().id(), execution);
            services.queue().places().release(execution.run().id());
        }
        continueIfReleased(execution);
        placeFreed.run();
    }

    /** Gives a run back to be continued; false when it cannot be. */
    private boolean release(Run run, RunContinuation.Cause cause) {
        RunContinuation continuing = continuation;
        return continuing != null
                && continuing.release(run, draining ? RunContinuation.Cause.DRAINED : cause);
    }

    /** An execution that lost its runner goes on here, unless this server is being stopped. */
    private void continueIfReleased(Execution execution) {
        if (execution.isReleased() && !draining) {
            database.read(tx -> runs.find(tx, execution.run().id()))
                    .filter(run -> run.generation() == execution.run().generation())
                    .filter(RunContinuation::isReleased)
                    .ifPresent(run -> attemptToEnd(run, true));
        }
    }

    /** How many runs this server executes. */
    public int count() {
        return active.size();
    }

    private Optional<Execution> find(RunId run) {
        return Optional.ofNullable(active.get(run));
    }

    /** Cancels a run, on any server, because its client has disconnected. Returns at once. */
    public void clientDisconnected(RunId run) {
        Execution here = active.get(run);
        if (here != null) {
            here.stop(StopReason.CLIENT_GONE);
        } else if (!draining) { // a server that is being stopped disconnects its clients
            stopRequests.sendOrEnd(run, StopReason.CLIENT_GONE);
        }
    }

    /**
     * Ends a run, on any server, and returns once its conversation is free. A run that begins to
     * wait or is continued meanwhile is ended as well.
     */
    public void stop(Run run, StopReason reason) throws InterruptedException {
        Optional<Run> left = Optional.of(run);
        while (left.isPresent()) {
            stopAttempt(left.get(), reason);
            left =
                    database.read(tx -> runs.find(tx, run.id()))
                            .filter(it -> it.status().isActive());
        }
    }

    private void stopAttempt(Run run, StopReason reason) throws InterruptedException {
        if (run.status() == RunStatus.WAITING) {
            services.settlements().settleFromLog(run, reason); // no process has it
            return;
        }
        Optional<Execution> here = find(run.id());
        if (here.isEmpty() && stopRequests.endQueued(run, reason)) {
            return;
        }
        here.ifPresent(execution -> execution.stop(reason));
        if (here.isPresent() && here.get().awaitSettled(limits.stopping())) {
            return;
        }
        if (here.isEmpty() && stopRequests.sendAndWait(run, reason)) {
            return;
        }
        // The owner is dead or stuck: settle here, and its next write is refused.
        services.settlements().settleFromLog(run, reason);
    }

    /** Frees a conversation whose run was lost, without waiting for the next sweep. */
    void endIfLost(ConversationId conversation) {
        lost.find(conversation).ifPresent(run -> endExpired(run, true));
    }

    /** Refuses when a run would continue from older files than the last one has left. */
    void requireFiles(ConversationId conversation) throws IOException {
        services.workspaces().pending().requireAvailable(conversation);
    }

    /**
     * Ends every run that this process does not execute, without waiting for its lease: for a
     * database that only one server at a time can open. One that cannot be ended does not stop the
     * start; the sweep tries it again.
     */
    public void endRunsOfDeadServers() {
        List<Run> page = lost.findAll("");
        while (!page.isEmpty()) {
            page.forEach(this::endOrExpire);
            page = lost.findAll(page.getLast().id().value());
        }
    }

    /** What can be continued is, as soon as sandboxes can call back to this server. */
    private void endOrExpire(Run run) {
        RunContinuation continuing = continuation;
        if (continuing != null
                && services.sandbox().isPresent()
                && continuing.isContinuable(run, RunContinuation.causeOf(run))) {
            if (!RunContinuation.isReleased(run)) {
                boolean _ = continuing.release(run, RunContinuation.Cause.LOST);
            }
        } else {
            attemptToEnd(run, true);
        }
    }

    /** Runs all periodic tasks now. */
    public void sweep() {
        scheduler.runAll();
    }

    /** Starts no runs from now on, and waits for those that are active, at most so long. */
    public void drain(Duration limit) {
        draining = true;
        if (active.isEmpty()) {
            return;
        }
        database.change(tx -> runs.drain(tx, lease.owner()));
        LOG.info("waiting for runs to end runs={} limit={}", active.size(), limit);
        awaitSettled(limit);
    }

    /** Gives the runs of this server back, and ends those that cannot be continued. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        draining = true;
        scheduler.close();
        active.values().forEach(execution -> execution.stop(StopReason.SHUTDOWN));
        awaitSettled(CLOSE_TIMEOUT);
        services.sandbox().ifPresent(SandboxClient::close);
    }

    private void awaitSettled(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            // one that was committed just before may start only now
            while (!active.isEmpty() && System.nanoTime() < deadline) {
                for (Execution execution : active.values()) {
                    execution.awaitSettled(
                            Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void endLostRuns() {
        LostRuns.Expired page = lost.find("");
        while (!page.runs().isEmpty()) {
            for (Run run : page.runs()) {
                attemptToEnd(run, page.certain());
            }
            page = lost.find(page.runs().getLast().id().value());
        }
    }

    /** A run that cannot be ended does not keep the others. */
    private void attemptToEnd(Run run, boolean certain) {
        try {
            endExpired(run, certain);
        } catch (RuntimeException e) {
            if (DatabaseOutage.of(e).isPresent()) {
                throw e;
            }
            LOG.error("a lost run cannot be ended runId={}", run.id().value(), e);
        }
    }

    /** A run of this process whose lease expired while the process was paused is renewed. */
    private void endExpired(Run run, boolean certain) {
        Optional<Execution> here = find(run.id());
        if (here.isPresent()) {
            renew(List.of(here.get()));
        } else if (certain || RunContinuation.isReleased(run)) {
            continueOrEnd(run);
        }
    }

    private void continueOrEnd(Run run) {
        RunContinuation continuing = continuation;
        if (continuing == null) {
            return; // still starting
        }
        if (continuing.continueOrWait(run, acceptsForwarded())) {
            return;
        }
        StopReason reason = continuing.stopReason(run).orElse(StopReason.OWNER_LOST);
        if (services.settlements().settleFromLog(run, reason)) {
            LOG.warn("ended a run without an owner runId={}", run.id().value());
        }
    }

    /**
     * Renews leases in one transaction, in the order of ids as the log writes, and stops the
     * executions whose run another process has. A lease counts from the last progress of the log: a
     * process that cannot write loses its runs.
     */
    private void renew(List<Execution> executions) {
        if (executions.isEmpty()) {
            return;
        }
        long stalled = services.log().stalledFor().toMillis();
        List<Execution> taken =
                database.write(
                        tx -> {
                            long until = lease.until(lease.now(tx)) - stalled;
                            return executions.stream()
                                    .sorted(comparing(run -> run.run().id().value()))
                                    .filter(run -> !runs.renew(tx, run.run(), until))
                                    .toList();
                        });
        taken.forEach(execution -> execution.stop(StopReason.STALE));
    }

    /** Another server has asked to stop the run, or has ended it. */
    private void checkAfterSignal(Execution execution) {
        Runnable check =
                () -> {
                    applyStopRequests();
                    renew(List.of(execution));
                };
        Thread.ofVirtual().name("signal-" + execution.run().id().value()).start(check);
    }

    private void applyStopRequests() {
        if (active.isEmpty()) {
            return;
        }
        stopRequests
                .to(lease.owner())
                .forEach((run, reason) -> find(run).ifPresent(here -> here.stop(reason)));
    }

    /** Removes the sandboxes that a dead server has left. */
    private void removeLostSandboxes() {
        services.sandbox().ifPresent(client -> client.reap(this::isRunning));
    }

    private boolean isRunning(RunId id) {
        return database.read(tx -> runs.find(tx, id))
                .filter(run -> run.status() == RunStatus.RUNNING)
                .isPresent();
    }
}
