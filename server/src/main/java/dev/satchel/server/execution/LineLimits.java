package dev.satchel.server.execution;

import dev.satchel.protocol.ReceivedLine;
import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Ask;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Failure;
import dev.satchel.protocol.SandboxLine.Journal;
import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.protocol.SandboxLine.Parked;
import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.protocol.SandboxLine.Resumed;
import dev.satchel.protocol.SandboxLine.Retry;
import dev.satchel.protocol.SandboxLine.Steer;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.protocol.SandboxLine.Thinking;
import dev.satchel.protocol.SandboxLine.Usage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Cuts large values of a line, so that one huge result does not slow down every later reader.
 * Stream and history show the same cut value; the trace has the value whole, up to a limit of its
 * own.
 */
final class LineLimits {
    private static final long SHOWN_BYTES = 64 * 1024;
    private static final long TRACED_BYTES = 4L * 1024 * 1024;
    private static final int SHORT_ERROR = 500;

    private final long limit;
    private long originalSize;

    private LineLimits(long limit) {
        this.limit = limit;
    }

    /** A line as clients get it and, if it was cut for them, as the trace has it. */
    record Limited(ReceivedLine shown, @Nullable ReceivedLine traced) {}

    static Limited apply(ReceivedLine line) {
        LineLimits limits = new LineLimits(SHOWN_BYTES);
        ReceivedLine shown = limits.cut(line);
        return limits.originalSize == 0
                ? new Limited(line, null)
                : new Limited(shown, new LineLimits(TRACED_BYTES).cut(line));
    }

    /** Fields that this version does not know have one limit together. */
    private ReceivedLine cut(ReceivedLine line) {
        ObjectNode unknown = line.unknown();
        ObjectNode shorter = unknown.isEmpty() ? unknown : (ObjectNode) cutValue(unknown);
        return new ReceivedLine(cut(line.line()), shorter);
    }

    /** A step without its arguments; {@code length} counts as their size. */
    static StepStarted withoutValues(StepStarted step, long length) {
        if (step.args() == null) {
            return step;
        }
        Long stated = step.originalSize();
        return new StepStarted(
                step.id(),
                step.name(),
                null,
                true,
                stated == null ? Long.valueOf(length) : stated,
                step.ts());
    }

    /** A step without its result and with the beginning of its error. */
    static StepEnded withoutValues(StepEnded step, long length) {
        String error = step.error();
        String shortError =
                error == null || error.length() <= SHORT_ERROR
                        ? error
                        : JsonShortener.shorten(error, SHORT_ERROR);
        if (step.result() == null && Objects.equals(error, shortError)) {
            return step;
        }
        Long stated = step.originalSize();
        return new StepEnded(
                step.id(),
                step.name(),
                step.status(),
                null,
                shortError,
                true,
                stated == null ? Long.valueOf(length) : stated,
                step.durationMs(),
                step.ts());
    }

    /** Returns the same line if nothing of it is too large. */
    private SandboxLine cut(SandboxLine line) {
        SandboxLine shorter =
                switch (line) {
                    case StepStarted step -> cut(step);
                    case StepEnded step -> cut(step);
                    case Log log -> {
                        String message = cutText(log.message());
                        yield new Log(
                                log.level(), message, true, size(log.originalSize()), log.ts());
                    }
                    case Delta delta -> {
                        String text = cutText(delta.text());
                        yield new Delta(text, true, size(delta.originalSize()), delta.ts());
                    }
                    case Thinking thinking -> {
                        String text = cutText(thinking.text());
                        yield new Thinking(
                                text, true, size(thinking.originalSize()), thinking.ts());
                    }
                    case Output output -> {
                        String text = cutText(output.text());
                        yield new Output(
                                output.id(),
                                output.stream(),
                                text,
                                true,
                                size(output.originalSize()),
                                output.ts());
                    }
                    case Retry retry -> {
                        String message = cutText(retry.message());
                        yield new Retry(
                                retry.attempt(),
                                retry.delayMs(),
                                retry.code(),
                                message,
                                retry.model(),
                                retry.ts());
                    }
                    case Ask ask -> cut(ask);
                    case Steer steer ->
                            new Steer(steer.messageId(), cutText(steer.text()), steer.ts());
                    case Usage _, Resumed _, Parked _ -> line;
                    case Journal _ -> line; // the runner needs all of it
                    case Result _, Failure _ -> line; // once in a run: the answer is never cut
                };
        return originalSize == 0 ? line : shorter;
    }

    private SandboxLine cut(StepStarted step) {
        JsonNode args = step.args() == null ? null : cutValue(step.args());
        return new StepStarted(
                step.id(), step.name(), args, true, size(step.originalSize()), step.ts());
    }

    private SandboxLine cut(Ask ask) {
        JsonNode args = ask.args() == null ? null : cutValue(ask.args());
        return new Ask(
                ask.id(),
                ask.kind(),
                ask.tool(),
                args,
                ask.question() == null ? null : cutText(ask.question()),
                ask.options().stream().map(this::cutText).toList(),
                true,
                size(ask.originalSize()),
                ask.ts());
    }

    private SandboxLine cut(StepEnded step) {
        JsonNode result = step.result() == null ? null : cutValue(step.result());
        String error = step.error() == null ? null : cutText(step.error());
        return new StepEnded(
                step.id(),
                step.name(),
                step.status(),
                result,
                error,
                true,
                size(step.originalSize()),
                step.durationMs(),
                step.ts());
    }

    /** The runner may have cut the values before. */
    private long size(@Nullable Long stated) {
        return stated == null ? originalSize : Math.max(stated, originalSize);
    }

    private JsonNode cutValue(JsonNode value) {
        long size = JsonShortener.size(value);
        if (size <= limit) {
            return value;
        }
        originalSize += size;
        return JsonShortener.shorten(value, limit);
    }

    private String cutText(String text) {
        if (text.length() * 3L <= limit) { // no character has more bytes
            return text;
        }
        long size = JsonShortener.size(text);
        if (size <= limit) {
            return text;
        }
        originalSize += size;
        return JsonShortener.shorten(text, limit);
    }
}
