package dev.satchel.server.dialect.agui;

import dev.satchel.protocol.Json;
import dev.satchel.server.dialect.EventEncoder;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.StreamEvent;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Encodes AG-UI 1.0. Thread and run have the ids that the client gave them; ours are sent in a
 * custom event. Message ids derive from the run's id, so a snapshot and a live stream use the same
 * ids.
 */
public final class AgUiEncoder implements EventEncoder {
    private final String threadId;
    private final String clientRunId;
    private final List<Object> history;
    private String runId = "";

    /**
     * @param history a snapshot of the thread so far, or an empty list
     */
    public AgUiEncoder(String threadId, String clientRunId, List<Object> history) {
        this.threadId = threadId;
        this.clientRunId = clientRunId;
        this.history = List.copyOf(history);
    }

    @Override
    public List<Object> encode(StreamEvent event) {
        return switch (event) {
            case RunStarted run -> start(run);
            case Logged log -> List.of(custom("log", log.line()));
            case TextStarted text ->
                    List.of(
                            event(
                                    "TEXT_MESSAGE_START",
                                    "messageId",
                                    textId(runId, text.part()),
                                    "role",
                                    "assistant"));
            case TextAppended text ->
                    List.of(
                            event(
                                    "TEXT_MESSAGE_CONTENT",
                                    "messageId",
                                    textId(runId, text.part()),
                                    "delta",
                                    text.delta()));
            case TextEnded text ->
                    List.of(event("TEXT_MESSAGE_END", "messageId", textId(runId, text.part())));
            case StepStarted step -> call(step);
            case StepSucceeded step -> List.of(result(step.id(), json(step.result())));
            case StepFailed step -> List.of(result(step.id(), json(Map.of("error", step.error()))));
            case FileProduced file -> List.of(custom("file", file));
            case FileNotHandedOver file -> List.of(custom("notHandedOver", file));
            case WorkspacePending _ -> List.of(custom("workspace", Map.of("workspace", "pending")));
            case RunSucceeded _ -> List.of(finished("success"));
            case RunCancelled _ -> List.of(finished("cancelled"));
            case RunFailed run ->
                    List.of(event("RUN_ERROR", "message", run.message(), "code", run.code()));
        };
    }

    private List<Object> start(RunStarted run) {
        runId = run.runId();
        List<Object> events = new ArrayList<>();
        events.add(started());
        events.addAll(history);
        events.add(custom("satchel", JsonObjects.of("chatId", run.chatId(), "runId", run.runId())));
        return events;
    }

    private List<Object> call(StepStarted step) {
        String call = callId(runId, step.id());
        return List.of(
                event(
                        "TOOL_CALL_START",
                        "toolCallId",
                        call,
                        "toolCallName",
                        step.name(),
                        "parentMessageId",
                        runId),
                event("TOOL_CALL_ARGS", "toolCallId", call, "delta", json(step.args())),
                event("TOOL_CALL_END", "toolCallId", call));
    }

    /** The stream of a thread in which no run is active. */
    List<Object> onlyHistory() {
        List<Object> events = new ArrayList<>();
        events.add(started());
        events.addAll(history);
        events.add(finished("success"));
        return events;
    }

    static String textId(String runId, int part) {
        return runId + "-text-" + part;
    }

    /** Step ids are unique only within a run, but a thread is one list of messages. */
    static String callId(String runId, String stepId) {
        return runId + "-" + stepId;
    }

    static String resultId(String runId, String stepId) {
        return callId(runId, stepId) + "-result";
    }

    static String json(Object value) {
        return Json.MAPPER.writeValueAsString(value);
    }

    static Map<String, Object> event(String type, Object... more) {
        Map<String, Object> event = JsonObjects.of("type", type);
        event.putAll(JsonObjects.of(more));
        return event;
    }

    private Map<String, Object> started() {
        return event(
                "RUN_STARTED",
                "threadId",
                threadId,
                "runId",
                clientRunId,
                "protocolVersion",
                "1.0");
    }

    private Map<String, Object> finished(String outcome) {
        return event(
                "RUN_FINISHED",
                "threadId",
                threadId,
                "runId",
                clientRunId,
                "outcome",
                Map.of("type", outcome));
    }

    private Map<String, Object> result(String id, String content) {
        return event(
                "TOOL_CALL_RESULT",
                "messageId",
                resultId(runId, id),
                "toolCallId",
                callId(runId, id),
                "content",
                content,
                "role",
                "tool");
    }

    private static Map<String, Object> custom(String name, Object value) {
        return event("CUSTOM", "name", name, "value", value);
    }
}
