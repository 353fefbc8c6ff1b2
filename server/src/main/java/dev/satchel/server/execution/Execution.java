package dev.satchel.server.execution;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.LineParser;
import dev.satchel.protocol.LineTooLongException;
import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.MalformedLineException;
import dev.satchel.protocol.NdjsonReader;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.UnknownLineTypeException;
import dev.satchel.server.conversation.Transcript;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.StaleRunException;
import dev.satchel.server.runlog.RunLogWriter;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.sandbox.SandboxFailedException;
import dev.satchel.server.workspace.WorkspaceManager;
import dev.satchel.server.workspace.WorkspaceTransfer;
import dev.satchel.server.workspace.WorkspaceUnreachableException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run in flight, on a virtual thread of its own: dispatch, line by line into the log,
 * settlement. It can be stopped from outside at any moment; the first reason given is the one that
 * counts, and an answer beats them all.
 */
public final class Execution {
    private static final Logger LOG = LoggerFactory.getLogger(Execution.class);
    private static final Duration SETTLING = Duration.ofSeconds(60);
    private static final Duration SETTLE_RETRY = Duration.ofMillis(500);

    private final Run run;
    private final Supplier<Dispatch> dispatch;
    private final RunLogWriter lines;
    private final SandboxClient sandbox;
    private final WorkspaceManager workspaces;
    private final RunSettlement settlements;
    private final Clock steady;
    private final Transcript transcript = new Transcript();
    private final CountDownLatch settled = new CountDownLatch(1);
    private final long begunMillis;
    private volatile long lastHeardMillis;
    private volatile long answeredMillis;
    private @Nullable StopReason stop; // guarded by this, like the two below
    private @Nullable Thread thread;
    private @Nullable InputStream upstream;

    Execution(
            Run run,
            Supplier<Dispatch> dispatch,
            RunLogWriter lines,
            SandboxClient sandbox,
            WorkspaceManager workspaces,
            RunSettlement settlements,
            Clock steady) {
        this.run = run;
        this.dispatch = dispatch;
        this.lines = lines;
        this.sandbox = sandbox;
        this.workspaces = workspaces;
        this.settlements = settlements;
        this.steady = steady;
        this.begunMillis = steady.millis();
        this.lastHeardMillis = begunMillis;
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
            if (thread != null) {
                thread.interrupt();
            }
        }
        closeQuietly(open); // the sandbox dies with its connection, even while we sit in a read
    }

    /** Waits until the run has settled; false when it has not after so long. */
    public boolean awaitSettled(Duration limit) throws InterruptedException {
        return settled.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    Duration age() {
        return Duration.ofMillis(steady.millis() - begunMillis);
    }

    Duration silence() {
        return Duration.ofMillis(steady.millis() - lastHeardMillis);
    }

    /** How long ago the answer came; empty while there is none. */
    Optional<Duration> sinceAnswer() {
        return answeredMillis == 0
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(steady.millis() - answeredMillis));
    }

    /**
     * Runs to the end. Never throws: whatever happens, the run settles or belongs to somebody else.
     */
    void execute() {
        try (lines) {
            begin();
            RunOutcome ending = unlessStale(this::dispatchAndRead);
            finishWorking();
            workspaces.saveAfter(run);
            lines.flush(); // the log holds what the message will show
            settle(ending);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (StaleRunException e) {
            LOG.warn("run lost runId={} reason={}", run.id().value(), e.getMessage());
        } catch (RuntimeException e) {
            // The lease runs out and a sweep settles it; nothing is stuck.
            LOG.error("run could not be settled runId={}", run.id().value(), e);
        } finally {
            settled.countDown();
        }
    }

    /** A database that is away for a moment must not cost the answer. */
    private void settle(RunOutcome ending) throws InterruptedException {
        long giveUp = System.nanoTime() + SETTLING.toNanos();
        while (true) {
            try {
                settlements.settle(run, ending, transcript);
                return;
            } catch (RuntimeException e) {
                if (System.nanoTime() > giveUp) {
                    throw e;
                }
                LOG.warn("settlement failed, trying again runId={}", run.id().value(), e);
                Thread.sleep(SETTLE_RETRY);
            }
        }
    }

    private interface Work {
        RunOutcome run() throws IOException, InterruptedException, SandboxRefusedException;
    }

    private RunOutcome unlessStale(Work work) {
        try {
            return work.run();
        } catch (SandboxRefusedException e) {
            return stopReason().map(StopReason::ending).orElse(e.ending());
        } catch (InterruptedException e) {
            return stopReason().orElse(StopReason.SHUTDOWN).ending();
        } catch (StaleRunException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("run failed on our side runId={}", run.id().value(), e);
            return RunOutcome.failed("internal", "Something broke on our side.");
        } catch (IOException e) {
            return stopReason().map(StopReason::ending).orElseGet(() -> ioFailure(e));
        }
    }

    private RunOutcome dispatchAndRead()
            throws IOException, InterruptedException, SandboxRefusedException {
        prepareWorkspace();
        try (RunningSandbox place = sandbox.launch(run);
                WorkspaceTransfer _ = workspaces.copyTo(place, run);
                InputStream body =
                        new ActivityInputStream(
                                sandbox.stream(place, dispatch.get()), this::heard);
                NdjsonReader reader = new NdjsonReader(body, NdjsonReader.DEFAULT_MAX_LINE_BYTES)) {
            opened(body);
            return read(reader);
        }
    }

    /** A failure of ours must not look like one of the sandbox's. */
    private void prepareWorkspace() throws IOException, InterruptedException {
        try {
            workspaces.prepare(run);
        } catch (WorkspaceUnreachableException e) {
            throw e;
        } catch (IOException e) {
            throw new WorkspacePreparationException(e);
        }
    }

    private void heard() {
        lastHeardMillis = steady.millis();
    }

    private RunOutcome read(NdjsonReader reader) throws IOException, InterruptedException {
        for (Optional<byte[]> line = reader.next(); line.isPresent(); line = reader.next()) {
            Optional<SandboxLine> parsed = parse(line.get());
            if (parsed.isEmpty()) {
                continue;
            }
            SandboxLine accepted = LineLimits.apply(parsed.get());
            transcript.add(accepted);
            if (accepted.terminal()) {
                answered();
                drain(reader);
                return ending(accepted);
            }
            lines.append(accepted.type(), Json.MAPPER.writeValueAsString(accepted));
        }
        return stopReason()
                .map(StopReason::ending)
                .orElse(
                        RunOutcome.failed(
                                "stream_ended", "The sandbox went away without an answer."));
    }

    /** An unknown type is dropped and noted; anything else that is no line ends the run. */
    private Optional<SandboxLine> parse(byte[] line)
            throws MalformedLineException, InterruptedException {
        try {
            return Optional.of(LineParser.parse(line));
        } catch (UnknownLineTypeException e) {
            note("dropped a line: " + e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * A write-back may still be under way after the answer, so the connection is read to its end.
     */
    private void drain(NdjsonReader reader) throws InterruptedException {
        try {
            int ignored = 0;
            while (reader.next().isPresent()) {
                ignored++;
            }
            if (ignored > 0) {
                note("ignored " + ignored + " lines after the end of the run");
            }
        } catch (IOException e) {
            note("the connection broke off after the answer");
        }
    }

    private void note(String message) throws InterruptedException {
        SandboxLine line = new SandboxLine.Log(LogLevel.WARN, message, steady.millis());
        lines.append(line.type(), Json.MAPPER.writeValueAsString(line));
    }

    private static RunOutcome ending(SandboxLine line) {
        return switch (line) {
            case SandboxLine.Result result -> new RunOutcome.Answered(result.message());
            case SandboxLine.Failure failure ->
                    RunOutcome.failed(failure.code(), failure.message());
            default -> throw new IllegalStateException("not a terminal line: " + line.type());
        };
    }

    private static RunOutcome ioFailure(IOException failure) {
        return switch (failure) {
            case LineTooLongException e ->
                    RunOutcome.failed(
                            "line_too_long",
                            "The sandbox broke the protocol: " + e.getMessage() + ".");
            case MalformedLineException e ->
                    RunOutcome.failed(
                            "protocol_error",
                            "The sandbox broke the protocol: " + e.getMessage() + ".");
            case SandboxFailedException e -> {
                LOG.warn("no sandbox for a run", e);
                yield RunOutcome.failed("sandbox_failed", "No sandbox could be started.");
            }
            case WorkspaceUnreachableException e -> {
                LOG.warn("a run's files are out of reach", e);
                yield RunOutcome.failed(
                        "workspace_unreachable",
                        "The server that has the files cannot be reached. Try again soon.");
            }
            case WorkspacePreparationException e -> {
                LOG.error("no workspace for a run", e);
                yield RunOutcome.failed(
                        "workspace_failed",
                        "The conversation's files could not be made ready for the sandbox.");
            }
            case java.net.ConnectException _ ->
                    RunOutcome.failed("sandbox_unreachable", "The sandbox cannot be reached.");
            case java.net.http.HttpConnectTimeoutException _ ->
                    RunOutcome.failed("sandbox_unreachable", "The sandbox cannot be reached.");
            default ->
                    RunOutcome.failed("stream_ended", "The sandbox went away without an answer.");
        };
    }

    /** From here on a stop only cuts the connection: the answer stands. */
    private void answered() throws InterruptedException {
        synchronized (this) {
            answeredMillis = steady.millis();
            thread = null;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("stopped just before the answer");
        }
    }

    private void begin() {
        synchronized (this) {
            thread = Thread.currentThread();
        }
    }

    /** A stop comes too late now; an interrupt still pending must not disturb the settlement. */
    private void finishWorking() {
        synchronized (this) {
            thread = null;
            upstream = null;
        }
        if (Thread.interrupted()) {
            LOG.debug("stop came in while settling runId={}", run.id().value());
        }
        if (stopReason().filter(StopReason.STALE::equals).isPresent()) {
            throw new StaleRunException(run.id());
        }
    }

    private void opened(InputStream body) throws InterruptedException {
        synchronized (this) {
            if (stop != null) {
                throw new InterruptedException("stopped before it began");
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
