package dev.satchel.runner.agent;

import dev.satchel.protocol.RunUsage;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Retry;
import dev.satchel.protocol.SandboxLine.Thinking;
import dev.satchel.protocol.SandboxLine.Usage;
import dev.satchel.runner.journal.JournalEntry;
import dev.satchel.runner.model.ModelException;
import dev.satchel.runner.model.ReplyListener;
import dev.satchel.runner.model.TokenUsage;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
    private @Nullable Usage usage;
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
        this.usage = line;
    }

    /** The line with the tokens of the last call, which the caller writes; null for none. */
    @Nullable Usage takeUsage() {
        Usage taken = wanted ? usage : null;
        if (usage != null) {
            usage = null;
            settle();
        }
        return taken;
    }

    /** Writes the tokens of the last call. */
    void writeUsage() throws IOException {
        Usage line = takeUsage();
        if (line != null) {
            lines.write(line);
        }
    }

    /** What the model thought in this call. */
    String thoughts() {
        return ofThisCall.stream()
                .filter(Thinking.class::isInstance)
                .map(line -> ((Thinking) line).text())
                .collect(Collectors.joining());
    }

    /** Counts a reply of an attempt before, and writes it again if the log does not have it. */
    void repeat(JournalEntry.Reply entry, boolean isShown) throws IOException {
        String text = entry.reply().text();
        if (!isShown) {
            thinking(entry.thinking());
            text(text);
        }
        started = started || !text.isEmpty();
        gap = gap && text.isEmpty();
        TokenUsage tokens = entry.reply().usage();
        if (tokens != null) {
            usage(tokens);
            if (isShown) {
                Usage _ = takeUsage();
            } else {
                writeUsage();
            }
        }
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
