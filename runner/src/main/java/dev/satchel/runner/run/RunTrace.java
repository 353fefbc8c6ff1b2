package dev.satchel.runner.run;

import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.agent.AgentFailedException;
import dev.satchel.runner.agent.LineWriter;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;

/** Takes a run through its phases and says so in its lines. */
final class RunTrace implements LineWriter {
    /** One part of a run. */
    @FunctionalInterface
    interface Phase<T> {
        T run() throws RunFailedException, AgentFailedException, IOException, InterruptedException;
    }

    private final LineWriter lines;
    private final Cancellation cancellation;
    private final Clock clock;
    private boolean readerGone;
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
            throw new ReaderGoneException(e);
        }
    }

    /** Runs a phase, which a cancellation interrupts, and says how it ended and when. */
    <T> T phase(String name, Phase<T> phase)
            throws RunFailedException, AgentFailedException, IOException, InterruptedException {
        long start = System.nanoTime();
        try {
            T result = interruptible(phase);
            ended(LogLevel.INFO, name, "done", start);
            return result;
        } catch (RunFailedException | AgentFailedException e) {
            ended(LogLevel.WARN, name, "failed", start);
            throw e;
        }
    }

    void log(LogLevel level, String message) throws IOException {
        write(new SandboxLine.Log(level, message, clock.millis()));
    }

    void result(String message) throws IOException {
        settle(new SandboxLine.Result(message, clock.millis()));
    }

    void failure(String code, String message) throws IOException {
        settle(new SandboxLine.Failure(code, message, clock.millis()));
    }

    /** Whatever goes wrong after the last line: it was the last. */
    private void settle(SandboxLine last) throws IOException {
        if (!settled) {
            settled = true;
            write(last);
        }
    }

    private <T> T interruptible(Phase<T> phase)
            throws RunFailedException, AgentFailedException, IOException, InterruptedException {
        if (readerGone) {
            throw new InterruptedException("nobody reads the run's lines any more");
        }
        cancellation.enter();
        try {
            return phase.run();
        } catch (IOException | RuntimeException | RunFailedException | AgentFailedException e) {
            if (cancellation.cancelled()) { // much tells of an interrupt in its own way
                InterruptedException cancelled = new InterruptedException("the run was cancelled");
                cancelled.initCause(e);
                throw cancelled;
            }
            throw e;
        } finally {
            cancellation.leave();
        }
    }

    /** Throws nothing: what the phase has opened must reach the one who closes it. */
    private void ended(LogLevel level, String name, String outcome, long start) {
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        try {
            log(level, "phase=%s outcome=%s durationMs=%d".formatted(name, outcome, millis));
        } catch (IOException e) {
            readerGone = true;
        }
    }
}
