package dev.satchel.server.execution;

import dev.satchel.protocol.Json;
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
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ContentBlock.End;
import dev.satchel.server.conversation.Transcript;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of the message of a run, of limited size. From three quarters of the limit on, steps
 * lose their values, which clients load from the trace, and texts between steps are left out. At
 * the limit steps are left out as well. A step of its own says so. The answer is never cut.
 */
final class BoundedTranscript {
    private static final String ID = "message-limit";
    private static final String NAME = "message_limit";

    /** Of a step without its values, in addition to its id and name. */
    private static final int STEP_CHARACTERS = 200;

    private final Transcript transcript = new Transcript();
    private final long limit;
    private long used;
    private boolean withoutValues;
    private boolean announced;
    private long leftOutLines;

    BoundedTranscript(long limit) {
        this.limit = limit;
    }

    /** Adds a line that has so many characters in the log. */
    void add(SandboxLine line, long length) {
        switch (line) {
            case Log _, Failure _, Usage _, Retry _, Resumed _, Journal _, Result _ ->
                    transcript.add(line);
            case Ask _, Parked _, Steer _ -> transcript.add(line); // a person must see it
            case StepStarted step when step.id().equals(LineRecorder.ID) -> transcript.add(line);
            case StepEnded step when step.id().equals(LineRecorder.ID) -> transcript.add(line);
            case StepStarted step -> {
                if (isWhole(length) || isSmall(step.id(), step.name())) {
                    transcript.add(withoutValues ? LineLimits.withoutValues(step, length) : step);
                }
            }
            case StepEnded step -> {
                if (isWhole(length) || isSmall(step.id(), step.name())) {
                    transcript.add(withoutValues ? LineLimits.withoutValues(step, length) : step);
                }
            }
            case Delta _, Thinking _, Output _ -> {
                if (isWhole(length)) {
                    transcript.add(line);
                } else {
                    leftOutLines++;
                }
            }
        }
    }

    /** The tokens of the run; null while no call of a model has said its own. */
    @Nullable RunUsage usage() {
        return transcript.usage();
    }

    /** The content of a turn that gave an answer, which has the text that was left out last. */
    List<ContentBlock> succeeded() {
        if (announced) {
            endNotice();
        }
        return transcript.succeeded();
    }

    /** The content of a turn that did not: every step it reached, then why it stopped. */
    List<ContentBlock> stopped(End end) {
        if (leftOutLines > 0) {
            announce();
            endNotice();
        }
        return transcript.stopped(end);
    }

    /** Whether a line is added with its values. */
    private boolean isWhole(long length) {
        withoutValues = withoutValues || used + length > limit / 4 * 3;
        used += withoutValues ? 0 : length;
        return !withoutValues;
    }

    /** Whether a step is added without its values. */
    private boolean isSmall(String id, String name) {
        int size = id.length() + name.length() + STEP_CHARACTERS;
        boolean fits = used + size <= limit;
        used += fits ? size : 0;
        leftOutLines += fits ? 0 : 1;
        if (leftOutLines > 0) {
            announce(); // before the step, if text before it was left out
        }
        return fits;
    }

    private void announce() {
        if (!announced) {
            announced = true;
            String message =
                    String.format(
                            Locale.ROOT,
                            "This message has reached its limit of %,d characters. Further steps"
                                    + " are only in the trace of the run.",
                            limit);
            transcript.add(
                    new StepStarted(
                            ID, NAME, Json.MAPPER.valueToTree(Map.of("message", message)), null));
        }
    }

    private void endNotice() {
        Map<String, Object> result = Map.of("leftOutLines", leftOutLines);
        transcript.add(
                new StepEnded(
                        ID,
                        NAME,
                        StepEnded.Outcome.SUCCEEDED,
                        Json.MAPPER.valueToTree(result),
                        null,
                        null,
                        null));
    }
}
