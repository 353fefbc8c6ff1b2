package dev.satchel.runner.run;

import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.NotHandedOver;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.agent.AgentAnswer;
import dev.satchel.runner.agent.AgentFailedException;
import dev.satchel.runner.agent.LineWriter;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

/** Runs the phases of a run and writes their outcomes to its lines. */
final class RunTrace implements LineWriter {
    @FunctionalInterface
    interface Phase<T> {
        T run() throws RunFailedException, AgentFailedException, IOException, InterruptedException;
    }

    private final LineWriter lines;
    private final Cancellation cancellation;
    private final Clock clock;
    private boolean readerDisconnected;
    private boolean settled;

    RunTrace(LineWriter lines, Cancellation cancellation, Clock clock) {
        this.lines = lines;
        this.cancellation = cancellation;
        this.clock = clock;
    }

    @Override
    public void write(SandboxLine line) throws IOException {
        try {
            lines.write(line);
        } catch (IOException e) {
            throw new ReaderDisconnectedException(e);
        }
    }

    /** Runs a phase, which a cancellation can interrupt, and logs its outcome and duration. */
    <T> T phase(String name, Phase<T> phase)
            throws RunFailedException, AgentFailedException, IOException, InterruptedException {
        long start = System.nanoTime();
        try {
            T result = interruptible(phase);
            logOutcome(LogLevel.INFO, name, "done", start);
            return result;
        } catch (RunFailedException | AgentFailedException e) {
            logOutcome(LogLevel.WARN, name, "failed", start);
            throw e;
        }
    }

    void log(LogLevel level, String message) throws IOException {
        write(new SandboxLine.Log(level, message, clock.millis()));
    }

    void result(AgentAnswer answer, List<NotHandedOver> notHandedOver, WorkspaceChanges changes)
            throws IOException {
        settle(
                new SandboxLine.Result(
                        answer.text(),
                        notHandedOver,
                        answer.stopped(),
                        answer.usage(),
                        changes.isPossible() ? null : false,
                        clock.millis()));
    }

    void failure(String code, String message) throws IOException {
        settle(new SandboxLine.Failure(code, message, clock.millis()));
    }

    void parked() throws IOException {
        settle(new SandboxLine.Parked(clock.millis()));
    }

    /** Writes the last line; later ones are ignored. */
    private void settle(SandboxLine last) throws IOException {
        if (!settled) {
            settled = true;
            write(last);
        }
    }

    private <T> T interruptible(Phase<T> phase)
            throws RunFailedException, AgentFailedException, IOException, InterruptedException {
        if (readerDisconnected) {
            throw new InterruptedException("the client has disconnected");
        }
        cancellation.beginPhase();
        try {
            return phase.run();
        } catch (IOException | RuntimeException | RunFailedException | AgentFailedException e) {
            if (cancellation.cancelled()) { // many libraries report an interrupt as another failure
                InterruptedException cancelled = new InterruptedException("the run was cancelled");
                cancelled.initCause(e);
                throw cancelled;
            }
            throw e;
        } finally {
            cancellation.endPhase();
        }
    }

    /** Throws nothing, so that the caller receives what the phase has opened and closes it. */
    private void logOutcome(LogLevel level, String name, String outcome, long start) {
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        try {
            log(level, "phase=%s outcome=%s durationMs=%d".formatted(name, outcome, millis));
        } catch (IOException e) {
            readerDisconnected = true;
        }
    }
}
