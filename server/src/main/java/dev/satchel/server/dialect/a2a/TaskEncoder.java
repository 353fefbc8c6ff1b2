package dev.satchel.server.dialect.a2a;

import dev.satchel.server.dialect.EventEncoder;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.StreamEvent;
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
import dev.satchel.server.dialect.StreamEvent.TextAppended;
import dev.satchel.server.dialect.StreamEvent.TextEnded;
import dev.satchel.server.dialect.StreamEvent.TextStarted;
import dev.satchel.server.dialect.StreamEvent.ThinkingAppended;
import dev.satchel.server.dialect.StreamEvent.ThinkingEnded;
import dev.satchel.server.dialect.StreamEvent.ThinkingStarted;
import dev.satchel.server.dialect.StreamEvent.Withdrawn;
import dev.satchel.server.dialect.StreamEvent.WorkspacePending;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Encodes the events of a task, and knows the task as a whole. Texts and files are artifacts; steps
 * are messages of the status.
 */
public final class TaskEncoder implements EventEncoder {
    private final URI publicUrl;
    private final Map<String, Map<String, Object>> artifacts = new LinkedHashMap<>();
    private final Map<String, StringBuilder> texts = new LinkedHashMap<>();
    private Map<String, Object> status = JsonObjects.of("state", "TASK_STATE_SUBMITTED");
    private final String taskId;
    private final String contextId;
    private int messages;

    public TaskEncoder(URI publicUrl, String taskId, String contextId) {
        this.publicUrl = publicUrl;
        this.taskId = taskId;
        this.contextId = contextId;
    }

    /** The task as it is now. */
    Map<String, Object> task() {
        texts.forEach((id, text) -> artifacts.put(id, artifact(id, "", textPart(text.toString()))));
        return JsonObjects.of(
                "id",
                taskId,
                "contextId",
                contextId,
                "status",
                status,
                "artifacts",
                List.copyOf(artifacts.values()));
    }

    @Override
    public List<Object> encode(StreamEvent event) {
        return switch (event) {
            case RunStarted _ -> {
                status = JsonObjects.of("state", "TASK_STATE_WORKING");
                yield List.of(JsonObjects.of("task", task()));
            }
            case TextAppended text -> append(text);
            case TextEnded _, TextStarted _ -> List.of();
            case Withdrawn withdrawn -> withdraw(withdrawn);
            case StepStarted step -> working("`" + step.name() + "`");
            case StepFailed step -> working("failed: " + step.error());
            case Queued queued ->
                    queued.position() == 0
                            ? List.of()
                            : working("waiting for a free place, number " + queued.position());
            case FileProduced file -> List.of(file(file));
            case FileNotHandedOver file ->
                    working("`" + file.path() + "` was not handed over: " + file.reason());
            case RunWaiting waiting -> ask(waiting);
            case RunSucceeded _ -> List.of(status("TASK_STATE_COMPLETED", List.of()));
            case RunCancelled run ->
                    List.of(status("TASK_STATE_CANCELED", List.of(textPart(run.reason()))));
            case RunFailed run ->
                    List.of(
                            status(
                                    "TASK_STATE_FAILED",
                                    List.of(textPart(run.code() + ": " + run.message()))));
            case ThinkingStarted _, ThinkingAppended _, ThinkingEnded _ -> List.of();
            case Asked _ -> List.of(); // the end of the stream names all
            case StepPrinted _, StepSucceeded _, ModelUsed _, Retried _, Resumed _ -> List.of();
            case Steered _, Logged _, WorkspacePending _ ->
                    List.of(); // tasks have no place for them
        };
    }

    private List<Object> append(TextAppended text) {
        String id = "text-" + text.part();
        boolean isFirst = !texts.containsKey(id);
        texts.computeIfAbsent(id, _ -> new StringBuilder()).append(text.delta());
        return List.of(update(artifact(id, "", textPart(text.delta())), !isFirst));
    }

    /** Replaces the text by nothing: an artifact cannot be removed. */
    private List<Object> withdraw(Withdrawn withdrawn) {
        List<Object> updates = new ArrayList<>();
        for (int part : withdrawn.text()) {
            String id = "text-" + part;
            texts.remove(id);
            artifacts.remove(id);
            updates.add(update(artifact(id, "", textPart("")), false));
        }
        return updates;
    }

    private Object file(FileProduced file) {
        Map<String, Object> part =
                JsonObjects.of(
                        "url",
                        publicUrl + file.url(),
                        "filename",
                        file.name(),
                        "mediaType",
                        file.mimeType());
        Map<String, Object> artifact = artifact(file.id(), file.name(), part);
        artifacts.put(file.id(), artifact);
        return update(artifact, false);
    }

    /** A message with the id of the task answers all questions. */
    private List<Object> ask(RunWaiting waiting) {
        List<Object> parts = new ArrayList<>();
        for (Asked asked : waiting.asks()) {
            parts.add(
                    textPart(
                            asked.kind().equals("question")
                                    ? asked.question()
                                    : "May I call " + asked.tool() + "? Answer yes or no."));
            parts.add(JsonObjects.of("data", asked.line(), "mediaType", "application/json"));
        }
        return List.of(status("TASK_STATE_INPUT_REQUIRED", parts));
    }

    private List<Object> working(String text) {
        return List.of(status("TASK_STATE_WORKING", List.of(textPart(text))));
    }

    private Map<String, Object> status(String state, List<Object> parts) {
        status = JsonObjects.of("state", state);
        if (!parts.isEmpty()) {
            status.put(
                    "message",
                    JsonObjects.of(
                            "messageId",
                            taskId + "-status-" + ++messages,
                            "contextId",
                            contextId,
                            "taskId",
                            taskId,
                            "role",
                            "ROLE_AGENT",
                            "parts",
                            parts));
        }
        return JsonObjects.of(
                "statusUpdate",
                JsonObjects.of("taskId", taskId, "contextId", contextId, "status", status));
    }

    private Map<String, Object> update(Map<String, Object> artifact, boolean append) {
        return JsonObjects.of(
                "artifactUpdate",
                JsonObjects.of(
                        "taskId",
                        taskId,
                        "contextId",
                        contextId,
                        "artifact",
                        artifact,
                        "append",
                        append));
    }

    private static Map<String, Object> artifact(String id, String name, Object part) {
        return JsonObjects.of("artifactId", id, "name", name, "parts", List.of(part));
    }

    private static Object textPart(String text) {
        return JsonObjects.of("text", text);
    }
}
