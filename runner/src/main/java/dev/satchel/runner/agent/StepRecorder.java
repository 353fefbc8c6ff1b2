package dev.satchel.runner.agent;

import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.SandboxLine.Ask;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepEnded.Outcome;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.runner.journal.Journal;
import dev.satchel.runner.sandbox.OutputListener;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes the steps of an agent as lines. Steps are numbered in the order in which they start, and
 * may run at the same time if the writer is safe for threads.
 */
public final class StepRecorder {
    private final LineWriter lines;
    private final Clock clock;
    private final Journal journal;
    private final int maxOutputBytes;
    private final AtomicInteger started = new AtomicInteger();

    /** The work of one step; it may pass on what it prints. */
    @FunctionalInterface
    public interface ToolCall {
        ToolResult run(OutputListener output) throws IOException, InterruptedException;
    }

    /** For a run that cannot be continued. */
    public StepRecorder(LineWriter lines, Clock clock, int maxOutputBytes) {
        this(lines, clock, maxOutputBytes, Journal.none(lines::write, clock));
    }

    /** {@code maxOutputBytes} is how much of the output of a step is written while it runs. */
    public StepRecorder(LineWriter lines, Clock clock, int maxOutputBytes, Journal journal) {
        this.lines = lines;
        this.clock = clock;
        this.maxOutputBytes = maxOutputBytes;
        this.journal = journal;
    }

    Journal journal() {
        return journal;
    }

    /** Runs a call as one step and returns its result. */
    public ToolResult step(String tool, JsonNode arguments, ToolCall call)
            throws IOException, InterruptedException {
        return start(tool, arguments).run(call);
    }

    /** Begins a step; its call may run on another thread. */
    Step start(String tool, JsonNode arguments) throws IOException {
        return start(null, tool, arguments);
    }

    /** Begins a step with the id of the ask before it; without one it has the next number. */
    Step start(@Nullable String askId, String tool, JsonNode arguments) throws IOException {
        String id = askId == null ? nextId(tool) : askId;
        StepStarted line = new StepStarted(id, tool, arguments, clock.millis());
        if (journal.hasBegun(id) || journal.result(id).isPresent()) {
            if (!journal.isStartShown(id)) {
                lines.write(line);
            }
        } else {
            journal.begin(id, tool, line);
        }
        return new Step(id, tool);
    }

    private String nextId(String tool) {
        String id = "step_" + started.incrementAndGet();
        while (journal.isOfOther(id, tool)) {
            id = "step_" + started.incrementAndGet();
        }
        return id;
    }

    /**
     * Writes a step that failed before it began, with an id that no call has. A continued run does
     * not write it again.
     */
    public void failed(String id, String tool, JsonNode arguments, String message)
            throws IOException {
        Step step = start(id, tool, arguments);
        if (step.earlierResult().isEmpty()) {
            ToolResult _ = step.end(ToolResult.failure(message));
        }
    }

    /** Leaves out a step of an attempt before whose outcome is known. */
    void skip() {
        started.incrementAndGet();
    }

    /** Asks a person. */
    void ask(Ask line) throws IOException {
        lines.write(line);
    }

    Clock clock() {
        return clock;
    }

    /** Writes a piece of the answer. */
    public void text(String delta) throws IOException {
        lines.write(new Delta(delta, clock.millis()));
    }

    /** Writes what a model says as lines, if the caller of the run accepts them. */
    ReplyLines replyLines(boolean wanted) {
        return new ReplyLines(wanted, lines, clock);
    }

    /** Writes a diagnostic for the trace of the run. */
    public void log(LogLevel level, String message) throws IOException {
        lines.write(new Log(level, message, clock.millis()));
    }

    /** A step that has begun. */
    final class Step {
        private final String id;
        private final String tool;

        private Step(String id, String tool) {
            this.id = id;
            this.tool = tool;
        }

        String id() {
            return id;
        }

        /** The result of an attempt before. */
        Optional<ToolResult> earlierResult() throws IOException {
            Optional<ToolResult> result = journal.result(id);
            if (result.isPresent() && !journal.isEndShown(id)) {
                lines.write(ended(result.get(), System.nanoTime()));
            }
            return result;
        }

        /** Whether an attempt before has begun the call, so that it may have had effects. */
        boolean wasInterrupted() {
            return journal.hasBegun(id);
        }

        ToolResult end(ToolResult result) throws IOException {
            journal.end(id, result, ended(result, System.nanoTime()));
            return result;
        }

        /**
         * Runs the call and returns its result. A call that throws is a failed step. An interrupted
         * call stays a running step; the server ends it when it settles the run.
         */
        ToolResult run(ToolCall call) throws IOException, InterruptedException {
            long start = System.nanoTime();
            LiveOutput output = new LiveOutput(id, lines, clock, maxOutputBytes);
            ToolResult result;
            try {
                result = call.run(output);
                output.finish();
            } catch (IOException | RuntimeException e) {
                output.discard();
                lines.write(ended(Outcome.FAILED, null, unexpected(tool, e), start));
                throw e;
            } catch (InterruptedException e) {
                output.discard();
                throw e;
            }
            journal.end(id, result, ended(result, start));
            return result;
        }

        private StepEnded ended(ToolResult result, long start) {
            return result.succeeded()
                    ? ended(Outcome.SUCCEEDED, result.detail(), null, start)
                    : ended(Outcome.FAILED, null, result.text(), start);
        }

        private StepEnded ended(
                Outcome outcome, @Nullable JsonNode result, @Nullable String error, long start) {
            long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
            return new StepEnded(id, tool, outcome, result, error, millis, clock.millis());
        }
    }

    /** The message of an exception may contain a path of the host, so only its type is written. */
    private static String unexpected(String tool, Exception e) {
        return tool + " broke: " + e.getClass().getSimpleName();
    }
}
