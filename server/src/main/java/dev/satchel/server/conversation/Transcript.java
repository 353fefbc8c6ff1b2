package dev.satchel.server.conversation;

import dev.satchel.protocol.RunUsage;
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
    private final Map<String, StepOutput> outputs = new HashMap<>();
    private final StreamedText open = new StreamedText();
    private @Nullable RunUsage usage;
    private @Nullable String stopReason;

    public void add(SandboxLine line) {
        switch (line) {
            case Log _, Journal _ -> {} // for the trace and the runner
            case Failure _ -> {} // told by the end block
            case StepStarted started -> start(started);
            case StepEnded ended -> end(ended);
            case Delta delta -> open.append(false, delta.text());
            case Thinking thinking -> open.append(true, thinking.text());
            case Output output -> print(output);
            case Usage call -> add(call);
            case Retry _, Resumed _ -> open.withdraw();
            case Ask ask -> await(ask);
            case Steer steer -> hear(steer);
            case Parked _ -> {} // the steps say what they wait for
            case Result result -> close(result);
        }
    }

    /** The tokens of the run; null while no call of a model has said its own. */
    public @Nullable RunUsage usage() {
        return usage;
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
        if (before != null && hasEnded(before)) {
            return; // a late repetition
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
                        before == null || before.startedAt() == null
                                ? line.ts()
                                : before.startedAt(),
                        null,
                        null,
                        null,
                        line.truncated(),
                        line.originalSize()));
    }

    /** The step of a call that waits for a person; the line may be repeated. */
    private void await(Ask line) {
        if (step(line.id()) == null) {
            put(
                    new Step(
                            line.id(),
                            line.tool(),
                            Status.WAITING,
                            line.args(),
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            null,
                            line.truncated(),
                            line.originalSize()));
        }
    }

    private static boolean hasEnded(Step step) {
        return step.status() != Status.RUNNING && step.status() != Status.WAITING;
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
                        null,
                        null,
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

    private void print(Output line) {
        if (stepPositions.containsKey(line.id())) {
            outputs.computeIfAbsent(line.id(), _ -> new StepOutput())
                    .append(line.stream(), line.text());
        }
    }

    private void add(Usage call) {
        open.keep();
        usage = (usage == null ? RunUsage.NONE : usage).plus(call);
    }

    /** The result is the whole answer: it replaces what was streamed of it since the last step. */
    private void close(Result result) {
        blocks.addAll(open.thoughts());
        open.clear();
        if (!result.message().isEmpty()) {
            blocks.add(new Text(result.message()));
        }
        stopReason = result.stopped();
        usage = result.usage() == null ? usage : result.usage();
    }

    /** It separates what was said before it from the answer; the line may be repeated. */
    private void hear(Steer line) {
        ContentBlock.Steer heard = new ContentBlock.Steer(line.messageId(), line.text());
        if (!blocks.contains(heard)) {
            blocks.addAll(open.blocks());
            open.clear();
            blocks.add(heard);
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
            open.keep();
            return;
        }
        blocks.addAll(open.blocks());
        open.clear();
        stepPositions.put(step.id(), blocks.size());
        blocks.add(step);
    }

    private List<ContentBlock> settled() {
        List<ContentBlock> content = new ArrayList<>(blocks.size() + 3);
        for (ContentBlock block : blocks) {
            content.add(block instanceof Step step ? settled(step) : block);
        }
        content.addAll(open.blocks());
        if (stopReason != null) {
            content.add(new ContentBlock.Stopped(stopReason));
        }
        if (usage != null) {
            content.add(ContentBlock.Usage.of(usage));
        }
        return content;
    }

    /** With what it printed; a step that still runs or waits was interrupted. */
    private Step settled(Step step) {
        StepOutput output = outputs.get(step.id());
        return new Step(
                step.id(),
                step.name(),
                hasEnded(step) ? step.status() : Status.INTERRUPTED,
                step.args(),
                step.result(),
                step.error(),
                step.durationMs(),
                step.startedAt(),
                step.endedAt(),
                output == null ? null : output.pieces(),
                output == null ? null : output.omitted(),
                step.truncated(),
                step.originalSize());
    }
}
