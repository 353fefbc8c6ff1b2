package dev.satchel.runner.run;

import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.runner.agent.AgentFailure;
import dev.satchel.runner.agent.LineSink;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;

/** The lines of a run that are about the run itself. */
final class Trace {
    /** One phase of a run. */
    @FunctionalInterface
    interface Phase<T> {
        T run() throws RunFailure, AgentFailure, IOException, InterruptedException;
    }

    private final LineSink lines;
    private final Clock clock;

    Trace(LineSink lines, Clock clock) {
        this.lines = lines;
        this.clock = clock;
    }

    LineSink lines() {
        return lines;
    }

    /** Runs a phase and says that it is done and how long it took; one that fails says so too. */
    <T> T phase(String name, Phase<T> phase)
            throws RunFailure, AgentFailure, IOException, InterruptedException {
        long start = System.nanoTime();
        boolean done = false;
        try {
            T result = phase.run();
            done = true;
            return result;
        } finally {
            if (!Thread.currentThread().isInterrupted()) {
                Duration took = Duration.ofNanos(System.nanoTime() - start);
                log(
                        done ? LogLevel.INFO : LogLevel.WARN,
                        "phase=%s outcome=%s durationMs=%d"
                                .formatted(name, done ? "done" : "failed", took.toMillis()));
            }
        }
    }

    void log(LogLevel level, String message) throws IOException {
        lines.write(new SandboxLine.Log(level, message, clock.millis()));
    }

    void result(String message) throws IOException {
        lines.write(new SandboxLine.Result(message, clock.millis()));
    }

    void failure(String code, String message) throws IOException {
        lines.write(new SandboxLine.Failure(code, message, clock.millis()));
    }
}
