package dev.satchel.runner.agent;

import dev.satchel.protocol.RunUsage;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Retry;
import dev.satchel.protocol.SandboxLine.Thinking;
import dev.satchel.protocol.SandboxLine.Usage;
import dev.satchel.runner.model.ModelException;
import dev.satchel.runner.model.ReplyListener;
import dev.satchel.runner.model.TokenUsage;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes what a model says as lines: its text, with a blank line between the messages before and
 * after tool calls, what it thinks, its tokens, and calls that are repeated.
 */
final class ReplyLines implements ReplyListener {
    private final boolean wanted;
    private final LineWriter lines;
    private final Clock clock;

    /** Lines of earlier calls that a {@code retry} would withdraw: none ended with its usage. */
    private final List<SandboxLine> unsettled = new ArrayList<>();

    private final List<SandboxLine> ofThisCall = new ArrayList<>();
    private RunUsage sum = RunUsage.NONE;
    private boolean started;
    private boolean gap;
    private boolean gapBefore;
    private boolean startedBefore;

    /** {@code wanted} when the caller of the run accepts such lines. */
    ReplyLines(boolean wanted, LineWriter lines, Clock clock) {
        this.wanted = wanted;
        this.lines = lines;
        this.clock = clock;
    }

    /** The next text is another message; a step may have ended before it. */
    void nextMessage() {
        gap = started;
        settle();
    }

    /** The model is asked; its text goes on where the last one stopped. */
    void nextCall() {
        unsettled.addAll(ofThisCall);
        ofThisCall.clear();
        gapBefore = gap;
        startedBefore = started;
    }

    @Override
    public void text(String piece) throws IOException {
        if (!piece.isEmpty()) {
            write(new Delta(gap ? "\n\n" + piece : piece, clock.millis()));
            started = true;
            gap = false;
        }
    }

    @Override
    public void thinking(String piece) throws IOException {
        if (!piece.isEmpty()) {
            write(new Thinking(piece, clock.millis()));
        }
    }

    @Override
    public void retry(int attempt, Duration delay, ModelException error, String model)
            throws IOException {
        if (!wanted) {
            return;
        }
        lines.write(
                new Retry(
                        attempt,
                        delay.toMillis(),
                        error.code().wireName(),
                        error.message(),
                        model,
                        clock.millis()));
        ofThisCall.clear();
        gap = gapBefore;
        started = startedBefore;
        for (SandboxLine line : unsettled) {
            lines.write(line);
        }
    }

    @Override
    public void usage(TokenUsage usage) throws IOException {
        Usage line =
                new Usage(
                        usage.model(),
                        usage.provider(),
                        usage.input(),
                        usage.output(),
                        usage.cacheRead(),
                        usage.cacheWrite(),
                        clock.millis());
        sum = sum.plus(line);
        if (wanted) {
            lines.write(line);
        }
        settle();
    }

    /** The tokens of all calls so far. */
    RunUsage sum() {
        return sum;
    }

    /** A later retry withdraws nothing of what was written so far. */
    void settle() {
        unsettled.clear();
        ofThisCall.clear();
    }

    private void write(SandboxLine line) throws IOException {
        if (wanted) {
            ofThisCall.add(line);
            lines.write(line);
        }
    }
}
