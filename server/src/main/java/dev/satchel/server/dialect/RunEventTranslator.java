package dev.satchel.server.dialect;

import dev.satchel.server.dialect.StreamEvent.Asked;
import dev.satchel.server.dialect.StreamEvent.FileNotHandedOver;
import dev.satchel.server.dialect.StreamEvent.FileProduced;
import dev.satchel.server.dialect.StreamEvent.Logged;
import dev.satchel.server.dialect.StreamEvent.ModelUsed;
import dev.satchel.server.dialect.StreamEvent.Queued;
import dev.satchel.server.dialect.StreamEvent.Resumed;
import dev.satchel.server.dialect.StreamEvent.Retried;
import dev.satchel.server.dialect.StreamEvent.RunCancelled;
import dev.satchel.server.dialect.StreamEvent.RunFailed;
import dev.satchel.server.dialect.StreamEvent.RunStarted;
import dev.satchel.server.dialect.StreamEvent.RunSucceeded;
import dev.satchel.server.dialect.StreamEvent.RunWaiting;
import dev.satchel.server.dialect.StreamEvent.Steered;
import dev.satchel.server.dialect.StreamEvent.StepFailed;
import dev.satchel.server.dialect.StreamEvent.StepPrinted;
import dev.satchel.server.dialect.StreamEvent.StepStarted;
import dev.satchel.server.dialect.StreamEvent.StepSucceeded;
import dev.satchel.server.dialect.StreamEvent.WorkspacePending;
import dev.satchel.server.runlog.RunEvent;
import dev.satchel.server.runlog.RunEvent.Cut;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Translates the stored events of one run, from the first on, into {@link StreamEvent}s. The result
 * depends on these events alone, so a client that connects again receives the same.
 */
public final class RunEventTranslator {
    public static final String CUT_SHORT = "The run ended before this step did.";

    private static final int TAIL_CHARACTERS = 8 * 1024;

    private final List<StreamEvent> translated = new ArrayList<>();
    private final StreamedParts parts = new StreamedParts(translated::add);
    private final Map<String, StringBuilder> running = new LinkedHashMap<>();
    private final Set<String> known = new LinkedHashSet<>();
    private final Map<String, Asked> asks = new LinkedHashMap<>();
    private String chatId = "";
    private RunEvent.Answered answer =
            new RunEvent.Answered("", "", List.of(), List.of(), null, null, null, null);
    private RunEvent.Failed failure = new RunEvent.Failed("", "", null);

    /** Returns nothing for an event that adds nothing, such as a step reported twice. */
    List<StreamEvent> translate(RunEvent event) {
        translated.clear();
        switch (event) {
            case RunEvent.Started started -> start(started);
            case RunEvent.Logged logged -> translated.add(new Logged(logged.line()));
            case RunEvent.TextDelta delta -> parts.append(false, delta.text());
            case RunEvent.ThinkingDelta delta -> parts.append(true, delta.text());
            case RunEvent.StepStarted step -> {
                asks.remove(step.id());
                if (!known.contains(step.id())) {
                    startStep(step);
                }
            }
            case RunEvent.Asked asked -> ask(asked);
            case RunEvent.StepPrinted step -> print(step);
            case RunEvent.StepSucceeded step -> {
                if (endStep(step.id(), step.name())) {
                    translated.add(new StepSucceeded(step.id(), step.result(), step.cut()));
                }
            }
            case RunEvent.StepFailed step -> {
                if (endStep(step.id(), step.name())) {
                    translated.add(
                            new StepFailed(
                                    step.id(),
                                    step.error().isEmpty() ? "failed" : step.error(),
                                    step.cut()));
                }
            }
            case RunEvent.ModelUsed used -> {
                parts.keep();
                translated.add(new ModelUsed(used.line()));
            }
            case RunEvent.Retried retried -> retry(retried);
            case RunEvent.Resumed resumed -> {
                parts.withdraw();
                translated.add(new Resumed(resumed.attempt()));
            }
            case RunEvent.Queued queued -> translated.add(new Queued(queued.position()));
            case RunEvent.Steered steered -> {
                parts.settle();
                translated.add(new Steered(steered.messageId(), steered.text()));
            }
            case RunEvent.Answered answered -> answer = answered;
            case RunEvent.Failed failed -> failure = failed;
            case RunEvent.Ended ended -> end(ended.status());
            case RunEvent.Unknown _ -> {} // these clients cannot know it either
        }
        return List.copyOf(translated);
    }

    private void start(RunEvent.Started started) {
        chatId = started.chatId();
        translated.add(new RunStarted(chatId, started.runId()));
    }

    private void startStep(RunEvent.StepStarted step) {
        known.add(step.id());
        running.put(step.id(), new StringBuilder());
        parts.settle();
        translated.add(new StepStarted(step.id(), step.name(), step.args(), step.cut()));
    }

    /** The step begins with its ask, so that the answer and the result belong to one call. */
    private void ask(RunEvent.Asked asked) {
        if (known.contains(asked.id())) {
            return; // a repeated line
        }
        startStep(
                new RunEvent.StepStarted(
                        asked.id(), asked.tool(), asked.args(), asked.cut(), asked.ts()));
        Asked event =
                new Asked(asked.id(), asked.kind(), asked.tool(), asked.question(), asked.line());
        asks.put(asked.id(), event);
        translated.add(event);
    }

    private void print(RunEvent.StepPrinted step) {
        StringBuilder printed = running.get(step.id());
        if (printed != null) {
            printed.append(step.text());
            printed.delete(0, Math.max(0, printed.length() - TAIL_CHARACTERS));
            translated.add(
                    new StepPrinted(step.id(), step.stream(), step.text(), printed.toString()));
        }
    }

    /** Starts the step first if its start was never reported; false for a repeated end. */
    private boolean endStep(String id, String name) {
        if (!known.contains(id)) {
            startStep(
                    new RunEvent.StepStarted(
                            id, name, JsonNodeFactory.instance.objectNode(), Cut.NONE, null));
        }
        parts.keep();
        asks.remove(id);
        return running.remove(id) != null;
    }

    private void retry(RunEvent.Retried retried) {
        parts.withdraw();
        translated.add(
                new Retried(
                        retried.attempt(),
                        retried.delayMs(),
                        retried.code(),
                        retried.message(),
                        retried.model()));
    }

    private void end(String status) {
        boolean succeeded = status.equals("succeeded");
        if (succeeded) {
            parts.complete(answer.message());
        }
        parts.close();
        if (status.equals("waiting")) {
            translated.add(new RunWaiting(List.copyOf(asks.values())));
            return;
        }
        running.keySet().forEach(id -> translated.add(new StepFailed(id, CUT_SHORT, Cut.NONE)));
        if (succeeded) {
            answer.files().forEach(file -> translated.add(produced(file)));
            answer.notHandedOver()
                    .forEach(file -> translated.add(FileNotHandedOver.of(chatId, file)));
            if (answer.workspace() != null) {
                translated.add(new WorkspacePending());
            }
            translated.add(new RunSucceeded(answer.messageId(), answer.stopped(), answer.usage()));
        } else if (status.equals("cancelled")) {
            translated.add(new RunCancelled(failure.message()));
        } else {
            translated.add(new RunFailed(failure.code(), failure.message()));
        }
    }

    private FileProduced produced(RunEvent.ProducedFile file) {
        return new FileProduced(
                file.id(),
                file.name(),
                file.mimeType(),
                file.size(),
                FileProduced.url(chatId, file.id()));
    }
}
