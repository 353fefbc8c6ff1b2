package dev.satchel.server.dialect;

import dev.satchel.server.dialect.StreamEvent.FileNotHandedOver;
import dev.satchel.server.dialect.StreamEvent.FileProduced;
import dev.satchel.server.dialect.StreamEvent.Logged;
import dev.satchel.server.dialect.StreamEvent.RunCancelled;
import dev.satchel.server.dialect.StreamEvent.RunFailed;
import dev.satchel.server.dialect.StreamEvent.RunStarted;
import dev.satchel.server.dialect.StreamEvent.RunSucceeded;
import dev.satchel.server.dialect.StreamEvent.StepFailed;
import dev.satchel.server.dialect.StreamEvent.StepStarted;
import dev.satchel.server.dialect.StreamEvent.StepSucceeded;
import dev.satchel.server.dialect.StreamEvent.TextAppended;
import dev.satchel.server.dialect.StreamEvent.TextEnded;
import dev.satchel.server.dialect.StreamEvent.TextStarted;
import dev.satchel.server.dialect.StreamEvent.WorkspacePending;
import dev.satchel.server.runlog.RunEvent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Translates the stored events of one run, from the first on, into {@link StreamEvent}s. The result
 * depends on these events alone, so a client that connects again receives the same.
 */
public final class RunEventTranslator {
    public static final String CUT_SHORT = "The run ended before this step did.";

    private final List<StreamEvent> translated = new ArrayList<>();
    private final Set<String> running = new LinkedHashSet<>();
    private final Set<String> known = new LinkedHashSet<>();
    private final StringBuilder text = new StringBuilder();
    private String chatId = "";
    private int parts;
    private boolean textOpen;
    private RunEvent.Answered answer =
            new RunEvent.Answered("", "", List.of(), List.of(), null, null);
    private RunEvent.Failed failure = new RunEvent.Failed("", "", null);

    /** Returns nothing for an event that adds nothing, such as a step reported twice. */
    List<StreamEvent> translate(RunEvent event) {
        translated.clear();
        switch (event) {
            case RunEvent.Started started -> start(started);
            case RunEvent.Logged logged -> translated.add(new Logged(logged.line()));
            case RunEvent.TextDelta delta -> append(delta.text());
            case RunEvent.StepStarted step -> {
                if (!known.contains(step.id())) {
                    startStep(step);
                }
            }
            case RunEvent.StepSucceeded step -> {
                if (endStep(step.id(), step.name())) {
                    translated.add(new StepSucceeded(step.id(), step.result()));
                }
            }
            case RunEvent.StepFailed step -> {
                if (endStep(step.id(), step.name())) {
                    translated.add(
                            new StepFailed(
                                    step.id(), step.error().isEmpty() ? "failed" : step.error()));
                }
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

    private void append(String delta) {
        if (delta.isEmpty()) {
            return;
        }
        if (!textOpen) {
            textOpen = true;
            parts++;
            translated.add(new TextStarted(parts));
        }
        text.append(delta);
        translated.add(new TextAppended(parts, delta));
    }

    private void closeText() {
        if (textOpen) {
            translated.add(new TextEnded(parts));
        }
        textOpen = false;
        text.setLength(0);
    }

    private void startStep(RunEvent.StepStarted step) {
        known.add(step.id());
        running.add(step.id());
        closeText();
        translated.add(new StepStarted(step.id(), step.name(), step.args()));
    }

    /** Starts the step first if its start was never reported; false for a repeated end. */
    private boolean endStep(String id, String name) {
        if (!known.contains(id)) {
            startStep(
                    new RunEvent.StepStarted(
                            id, name, JsonNodeFactory.instance.objectNode(), null));
        }
        return running.remove(id);
    }

    private void end(String status) {
        boolean succeeded = status.equals("succeeded");
        if (succeeded) {
            completeText(answer.message());
        }
        closeText();
        running.forEach(id -> translated.add(new StepFailed(id, CUT_SHORT)));
        if (succeeded) {
            answer.files().forEach(file -> translated.add(produced(file)));
            answer.notHandedOver()
                    .forEach(file -> translated.add(FileNotHandedOver.of(chatId, file)));
            if (answer.workspace() != null) {
                translated.add(new WorkspacePending());
            }
            translated.add(new RunSucceeded(answer.messageId()));
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

    /**
     * Streamed text is the beginning of the answer; an answer that differs is sent as a new part.
     */
    private void completeText(String message) {
        if (message.startsWith(text.toString())) {
            append(message.substring(text.length()));
            return;
        }
        closeText();
        append(message);
    }
}
