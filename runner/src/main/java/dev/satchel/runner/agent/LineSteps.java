package dev.satchel.runner.agent;

import dev.satchel.protocol.LogLevel;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepEnded.Outcome;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Writes what an agent does as lines. Steps are numbered in the order in which they begin. */
public final class LineSteps implements StepListener {
    private final LineWriter sink;
    private final Clock clock;
    private final AtomicInteger begun = new AtomicInteger();

    public LineSteps(LineWriter sink, Clock clock) {
        this.sink = sink;
        this.clock = clock;
    }

    /**
     * A call that throws is a failed step before the exception goes on. An interrupted one is left
     * running: nobody listens any more, and whoever keeps the log settles it as interrupted.
     */
    @Override
    public ToolResult step(String tool, JsonNode arguments, ToolCall call)
            throws IOException, InterruptedException {
        String id = "step_" + begun.incrementAndGet();
        sink.write(new StepStarted(id, tool, arguments, clock.millis()));
        long start = System.nanoTime();
        ToolResult result;
        try {
            result = call.run();
        } catch (IOException | RuntimeException e) {
            sink.write(ended(id, tool, Outcome.FAILED, null, unexpected(tool, e), start));
            throw e;
        }
        if (result.succeeded()) {
            sink.write(ended(id, tool, Outcome.SUCCEEDED, result.detail(), null, start));
        } else {
            sink.write(ended(id, tool, Outcome.FAILED, null, result.text(), start));
        }
        return result;
    }

    @Override
    public void text(String delta) throws IOException {
        sink.write(new Delta(delta, clock.millis()));
    }

    @Override
    public void log(LogLevel level, String message) throws IOException {
        sink.write(new Log(level, message, clock.millis()));
    }

    private StepEnded ended(
            String id,
            String tool,
            Outcome outcome,
            @Nullable JsonNode result,
            @Nullable String error,
            long start) {
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        return new StepEnded(id, tool, outcome, result, error, millis, clock.millis());
    }

    /** The message of an exception may name a path of the host, so only its kind is told. */
    private static String unexpected(String tool, Exception e) {
        return tool + " broke: " + e.getClass().getSimpleName();
    }
}
