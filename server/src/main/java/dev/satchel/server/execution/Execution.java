package dev.satchel.server.execution;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.NdjsonReader;
import dev.satchel.protocol.ReceivedLine;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.server.bag.WorkspaceCopies;
import dev.satchel.server.database.InterruptGuard;
import dev.satchel.server.database.OutageRetry;
import dev.satchel.server.execution.RunContinuation.Cause;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunTokens;
import dev.satchel.server.run.StaleRunException;
import dev.satchel.server.runlog.RunLogLimits;
import dev.satchel.server.runlog.RunLogWriter;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.sandbox.SandboxFailedException;
import dev.satchel.server.usage.ModelCallUsage;
import dev.satchel.server.workspace.WorkspaceTransfer;
import dev.satchel.server.workspace.WorkspaceUnreachableException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run in progress, on a virtual thread of its own: dispatch, lines into the log, settlement. It
 * can be stopped from outside at any time. The first reason to stop counts, and an answer that has
 * arrived counts more than any reason.
 */
public final class Execution {
    private static final Logger LOG = LoggerFactory.getLogger(Execution.class);
    private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration RETRY = Duration.ofMillis(500);

    /** How long a run that is continued waits for its runner. */
    private static final Duration RUNNER_TIMEOUT = Duration.ofMinutes(2);

    private final Run run;
    private final RunTokens.Minted tokens;
    private final RunLogWriter log;
    private final ExecutionServices services;
    private final BiPredicate<Run, Cause> release; // gives the run back to be continued
    private final BoundedTranscript transcript;
    private final LineRecorder recorder;
    private final CountDownLatch settled = new CountDownLatch(1);
    private final long startedMillis;
    private volatile long lastActivityMillis;
    private volatile long answeredMillis;
    private final InterruptGuard interrupts = new InterruptGuard();
    private @Nullable StopReason stop; // guarded by this, like the one below
    private @Nullable InputStream upstream;
    private boolean parked;
    private volatile boolean released;

    Execution(
            Run run,
            RunTokens.Minted tokens,
            RunLogWriter log,
            ExecutionServices services,
            BiPredicate<Run, Cause> release) {
        this.run = run;
        this.tokens = tokens;
        this.log = log;
        this.services = services;
        this.release = release;
        RunLogLimits logLimits = services.log().limits();
        this.transcript = new BoundedTranscript(logLimits.messageCharacters());
        this.recorder =
                new LineRecorder(
                        log, transcript, logLimits, services.clock(), new RecorderListener());
        this.startedMillis = services.clock().millis();
        this.lastActivityMillis = startedMillis;
    }

    public Run run() {
        return run;
    }

    /** Asks the run to end. Does nothing when it is already ending. */
    public void stop(StopReason reason) {
        InputStream open;
        synchronized (this) {
            if (stop == null) {
                stop = reason;
            }
            open = upstream;
        }
        interrupts.interrupt();
        closeQuietly(open); // ends the sandbox, even while this run's thread is in a read
    }

    /** Stops a run that takes too long, is silent, or does not end after its answer. */
    void stopIfOverdue(ExecutionLimits limits) {
        if (answeredMillis != 0) {
            if (since(answeredMillis).compareTo(limits.drain()) > 0) {
                stop(StopReason.IDLE); // only closes the connection: the answer counts
            }
        } else if (since(startedMillis).compareTo(limits.run()) > 0) {
            stop(StopReason.RUN_LIMIT);
        } else if (since(lastActivityMillis).compareTo(limits.idle()) > 0) {
            stop(StopReason.IDLE);
        }
    }

    private Duration since(long millis) {
        return Duration.ofMillis(services.clock().millis() - millis);
    }

    /** Waits until the run has settled; false after the limit. */
    public boolean awaitSettled(Duration limit) throws InterruptedException {
        return settled.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Executes the run to its end. Never throws: the run settles, or another server has it. */
    void execute() {
        interrupts.run(this::executeToEnd);
    }

    /** Whether the run was given back instead of being settled. */
    boolean isReleased() {
        return released;
    }

    private void executeToEnd() {
        try (log) {
            RunOutcome outcome = runToOutcome();
            finishWorking();
            Optional<Cause> open = openEnd(outcome);
            Optional<String> pendingAt =
                    open.equals(Optional.of(Cause.LOST)) ? Optional.empty() : save(outcome);
            recorder.finish();
            log.flush(); // the log has everything that the message shows
            released = open.isPresent() && awaitDatabase(() -> release.test(run, open.get()));
            if (!released) {
                settle(outcome, pendingAt);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StaleRunException e) {
            LOG.warn("run lost runId={} reason={}", run.id().value(), e.getMessage());
            services.observer().leaseLost(run);
        } catch (RuntimeException e) {
            // The lease expires and a sweep settles the run.
            LOG.error("run could not be settled runId={}", run.id().value(), e);
        } finally {
            services.observer().left(run);
            settled.countDown();
        }
    }

    private Optional<String> save(RunOutcome outcome) throws InterruptedException {
        long begun = services.clock().millis();
        Optional<String> pendingAt =
                services.workspaces().saveAfter(run, outcome.mayHaveChangedFiles());
        services.observer().saved(run, since(begun), pendingAt.isEmpty());
        return pendingAt;
    }

    /** Why the run may go on although its runner has stopped; empty when it has ended. */
    private Optional<Cause> openEnd(RunOutcome outcome) {
        boolean isShutdown = stopReason().equals(Optional.of(StopReason.SHUTDOWN));
        if (parked || (isShutdown && answeredMillis == 0)) {
            return Optional.of(Cause.DRAINED);
        }
        boolean isLost = stopReason().isEmpty() && outcome.isRunnerLost();
        return isLost ? Optional.of(Cause.LOST) : Optional.empty();
    }

    /** Retries: an outage of the database must not lose the answer, however long it lasts. */
    private void settle(RunOutcome outcome, Optional<String> pendingAt)
            throws InterruptedException {
        long deadline = System.nanoTime() + SETTLE_TIMEOUT.toNanos();
        while (true) {
            try {
                awaitDatabase(() -> settleOrPark(outcome, pendingAt));
                return;
            } catch (RuntimeException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                LOG.warn("settlement failed, trying again runId={}", run.id().value(), e);
                Thread.sleep(RETRY);
            }
        }
    }

    /** A request to stop the run counts more than what it waits for; the end of a server less. */
    private boolean settleOrPark(RunOutcome outcome, Optional<String> pendingAt) {
        RunOutcome last = outcome;
        if (outcome instanceof RunOutcome.Waiting waiting) {
            Optional<StopReason> stopped = stopReason().filter(it -> it != StopReason.SHUTDOWN);
            if (stopped.isEmpty() && run.isJournaled() && recorder.hasWholeJournal()) {
                return services.settlements().park(run, waiting, pendingAt);
            }
            boolean isFull = recorder.isJournalFull();
            last = stopped.map(StopReason::outcome).orElseGet(() -> RunOutcome.cannotWait(isFull));
        }
        return services.settlements().settle(run, last, transcript, pendingAt);
    }

    /** Repeats the work until the database is available. */
    private <T, E extends Exception> T awaitDatabase(OutageRetry.Work<T, E> work)
            throws E, InterruptedException {
        return OutageRetry.repeat(work, RETRY, run.id().value());
    }

    private RunOutcome runToOutcome() {
        try {
            boolean _ = awaitDatabase(() -> recorder.restore(services.settlements(), run));
            return dispatchWhenReachable();
        } catch (SandboxRefusedException e) {
            return stopReason().map(StopReason::outcome).orElse(e.outcome());
        } catch (InterruptedException e) {
            return stopReason().orElse(StopReason.SHUTDOWN).outcome();
        } catch (StaleRunException e) {
            throw e;
        } catch (SatchelException e) {
            return stopReason().map(StopReason::outcome).orElseGet(() -> refused(e));
        } catch (RuntimeException e) {
            return stopReason().map(StopReason::outcome).orElseGet(() -> internalError(e));
        } catch (IOException e) {
            return stopReason().map(StopReason::outcome).orElseGet(() -> failure(e));
        }
    }

    /** A run that is continued waits for a runner that starts again, also behind a proxy. */
    private RunOutcome dispatchWhenReachable()
            throws IOException, InterruptedException, SandboxRefusedException {
        long deadline = System.nanoTime() + RUNNER_TIMEOUT.toNanos();
        while (true) {
            try {
                return dispatchAndRead();
            } catch (SandboxRefusedException | ConnectException | HttpConnectTimeoutException e) {
                boolean isThere = e instanceof SandboxRefusedException it && !it.isUnreachable();
                if (isThere || run.attempt() == 1 || System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.sleep(RETRY);
            }
        }
    }

    private RunOutcome dispatchAndRead()
            throws IOException, InterruptedException, SandboxRefusedException {
        WorkspaceCopies.Prepared workspace = awaitDatabase(this::prepareWorkspace);
        new RenamedFileSteps(recorder, services.clock()).add(workspace.renamed());
        SandboxClient client = services.sandbox().orElseThrow();
        long begun = services.clock().millis();
        try (RunningSandbox sandbox = client.launch(run);
                WorkspaceTransfer _ = services.workspaces().copyTo(sandbox, run);
                InputStream body =
                        new ActivityInputStream(
                                client.stream(
                                        sandbox,
                                        awaitDatabase(() -> dispatch(workspace)),
                                        services.observer().traceparent(run)),
                                this::recordActivity);
                NdjsonReader reader = new NdjsonReader(body, NdjsonReader.DEFAULT_MAX_LINE_BYTES)) {
            opened(body);
            services.observer().dispatched(run, since(begun));
            StepOutputLimit outputs =
                    new StepOutputLimit(services.log().limits().stepOutputBytes());
            return read(new SandboxLines(reader, recorder, outputs, services.clock()));
        }
    }

    private Dispatch dispatch(WorkspaceCopies.Prepared workspace) {
        return services.dispatches()
                .dispatch(run, tokens, services.settlements().continued(run, workspace.isOlder()));
    }

    private final class RecorderListener implements LineRecorder.Listener {
        @Override
        public @Nullable ModelCallUsage call(SandboxLine line) {
            services.observer().line(run, line);
            return services.calls().observe(run, line);
        }

        @Override
        public void journalFull() throws InterruptedException {
            boolean _ = awaitDatabase(() -> services.settlements().endJournal(run));
        }
    }

    /** Distinguishes a failure of the workspace from one of the sandbox. */
    private WorkspaceCopies.Prepared prepareWorkspace() throws IOException, InterruptedException {
        try {
            return services.workspaces().prepare(run);
        } catch (WorkspaceUnreachableException | ConnectException | HttpConnectTimeoutException e) {
            throw e; // the last two: the runner that has the workspace is the sandbox
        } catch (IOException e) {
            throw new WorkspacePreparationException(e);
        }
    }

    private RunOutcome read(SandboxLines lines) throws IOException, InterruptedException {
        Optional<ReceivedLine> answer = lines.readToAnswer();
        if (answer.isEmpty()) {
            return stopReason().map(StopReason::outcome).orElseGet(RunOutcome::streamEnded);
        }
        answered();
        lines.drain();
        boolean isParked = answer.get().line() instanceof SandboxLine.Parked;
        boolean isStopped = isParked && lines.asks().isEmpty();
        if (isStopped && awaitDatabase(() -> services.settlements().isDraining(run))) {
            parked = true; // as this server wanted
            return StopReason.SHUTDOWN.outcome();
        }
        return RunOutcome.of(answer.get(), lines.asks());
    }

    private RunOutcome refused(SatchelException e) {
        return e.code() == ErrorCode.WORKSPACE_PENDING
                ? RunOutcome.failed("workspace_pending", e.text())
                : internalError(e);
    }

    private RunOutcome internalError(RuntimeException e) {
        LOG.error("run failed with an internal error runId={}", run.id().value(), e);
        return RunOutcome.failed("internal", "Something broke on our side.");
    }

    private RunOutcome failure(IOException e) {
        switch (e) {
            case SandboxFailedException _ ->
                    LOG.warn("no sandbox for a run runId={}", run.id().value(), e);
            case WorkspaceUnreachableException _ ->
                    LOG.warn("workspace out of reach runId={}", run.id().value(), e);
            case WorkspacePreparationException _ ->
                    LOG.error("no workspace for a run runId={}", run.id().value(), e);
            default -> {} // the outcome is enough
        }
        return RunOutcome.of(e);
    }

    private void recordActivity() {
        lastActivityMillis = services.clock().millis();
    }

    /** From here on a stop only closes the connection: the answer counts. */
    private void answered() throws InterruptedException {
        answeredMillis = services.clock().millis();
        if (interrupts.disarm()) {
            throw new InterruptedException("stopped just before the answer");
        }
    }

    /** A stop has no effect now; a pending interrupt must not disturb the settlement. */
    private void finishWorking() {
        synchronized (this) {
            upstream = null;
        }
        if (interrupts.disarm()) {
            LOG.debug("stopped while settling runId={}", run.id().value());
        }
        if (stopReason().filter(StopReason.STALE::equals).isPresent()) {
            throw new StaleRunException(run.id());
        }
    }

    private void opened(InputStream body) throws InterruptedException {
        synchronized (this) {
            if (stop != null) {
                throw new InterruptedException("stopped before the dispatch");
            }
            upstream = body;
        }
    }

    private synchronized Optional<StopReason> stopReason() {
        return Optional.ofNullable(stop);
    }

    private static void closeQuietly(@Nullable InputStream stream) {
        if (stream == null) {
            return;
        }
        try {
            stream.close();
        } catch (IOException e) {
            LOG.debug("closing a sandbox connection failed", e);
        }
    }
}
