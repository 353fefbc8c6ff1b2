package dev.satchel.server.conversation;

import dev.satchel.protocol.SandboxLine;
import dev.satchel.protocol.SandboxLine.Delta;
import dev.satchel.protocol.SandboxLine.Failure;
import dev.satchel.protocol.SandboxLine.Log;
import dev.satchel.protocol.SandboxLine.Output;
import dev.satchel.protocol.SandboxLine.Result;
import dev.satchel.protocol.SandboxLine.Retry;
import dev.satchel.protocol.SandboxLine.StepEnded;
import dev.satchel.protocol.SandboxLine.StepStarted;
import dev.satchel.protocol.SandboxLine.Thinking;
import dev.satchel.protocol.SandboxLine.Usage;
import dev.satchel.server.conversation.ContentBlock.End;
import dev.satchel.server.conversation.ContentBlock.Step;
import dev.satchel.server.conversation.ContentBlock.Step.Status;
import dev.satchel.server.conversation.ContentBlock.Text;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Folds the lines of a run into the content of its message. The page folds live events by the same
 * rules (the golden vectors hold both together), so a reload shows what the stream showed.
 */
public final class Transcript {
    private final List<ContentBlock> blocks = new ArrayList<>();
    private final Map<String, Integer> stepPositions = new HashMap<>();
    private final StringBuilder openText = new StringBuilder();
    private boolean textOpen;

    public void add(SandboxLine line) {
        switch (line) {
            case Log _,
                    Failure _ -> {} // logs stay in the trace; a failure is told by the end block
            case StepStarted started -> start(started);
            case StepEnded ended -> end(ended);
            case Delta delta -> append(delta.text());
            case Thinking _, Output _, Usage _ -> {}
            case Retry _ -> dropText();
            case Result result -> close(result.message());
        }
    }

    /** The content of a turn that gave an answer. */
    public List<ContentBlock> succeeded() {
        return settled();
    }

    /** The content of a turn that did not: every step it reached, then why it stopped. */
    public List<ContentBlock> stopped(End end) {
        List<ContentBlock> content = settled();
        content.add(end);
        return content;
    }

    private void start(StepStarted line) {
        Step before = step(line.id());
        if (before != null && before.status() != Status.RUNNING) {
            return; // a late repetition of what already ended
        }
        put(
                new Step(
                        line.id(),
                        line.name(),
                        Status.RUNNING,
                        line.args(),
                        null,
                        null,
                        null,
                        before == null ? line.ts() : before.startedAt(),
                        null,
                        line.truncated(),
                        line.originalSize()));
    }

    private void end(StepEnded line) {
        Step before = step(line.id());
        put(
                new Step(
                        line.id(),
                        line.name(),
                        line.status() == StepEnded.Outcome.SUCCEEDED
                                ? Status.SUCCEEDED
                                : Status.FAILED,
                        before == null ? null : before.args(),
                        line.result(),
                        line.error(),
                        line.durationMs(),
                        before == null ? null : before.startedAt(),
                        line.ts(),
                        isTruncated(before) ? Boolean.TRUE : line.truncated(),
                        sum(before == null ? null : before.originalSize(), line.originalSize())));
    }

    private static boolean isTruncated(@Nullable Step before) {
        return before != null && before.truncated() != null;
    }

    /** Arguments and result may both be cut. */
    private static @Nullable Long sum(@Nullable Long args, @Nullable Long result) {
        if (args == null || result == null) {
            return args == null ? result : args;
        }
        return args + result;
    }

    /** Streamed text grows the last block until a step comes between. */
    private void append(String text) {
        textOpen = true;
        openText.append(text);
    }

    private void closeText() {
        if (textOpen) {
            blocks.add(new Text(openText.toString()));
        }
        dropText();
    }

    private void dropText() {
        openText.setLength(0);
        textOpen = false;
    }

    /** The result is the whole answer: it replaces what was streamed of it since the last step. */
    private void close(String message) {
        dropText();
        if (!message.isEmpty()) {
            blocks.add(new Text(message));
        }
    }

    private @Nullable Step step(String id) {
        Integer position = stepPositions.get(id);
        return position == null ? null : (Step) blocks.get(position);
    }

    private void put(Step step) {
        Integer position = stepPositions.get(step.id());
        if (position != null) {
            blocks.set(position, step);
            return;
        }
        closeText();
        stepPositions.put(step.id(), blocks.size());
        blocks.add(step);
    }

    private List<ContentBlock> settled() {
        List<ContentBlock> content = new ArrayList<>(blocks.size() + 1);
        for (ContentBlock block : blocks) {
            content.add(
                    block instanceof Step step && step.status() == Status.RUNNING
                            ? interrupted(step)
                            : block);
        }
        if (textOpen) {
            content.add(new Text(openText.toString()));
        }
        return content;
    }

    private static Step interrupted(Step step) {
        return new Step(
                step.id(),
                step.name(),
                Status.INTERRUPTED,
                step.args(),
                null,
                null,
                null,
                step.startedAt(),
                null,
                step.truncated(),
                step.originalSize());
    }
}
