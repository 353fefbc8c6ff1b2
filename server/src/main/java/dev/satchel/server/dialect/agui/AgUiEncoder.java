package dev.satchel.server.dialect.agui;

import dev.satchel.protocol.Json;
import dev.satchel.server.dialect.EventEncoder;
import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.ProducedFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * AG-UI 1.0. Thread and run bear the names that the client gave them; ours come in a custom event.
 * Ids of messages are made of the run's, so a snapshot and a live stream name them alike.
 */
public final class AgUiEncoder implements EventEncoder {
    private final String threadId;
    private final String clientRunId;
    private final List<Object> history;
    private String runId = "";

    /**
     * @param history a snapshot of what went before, or nothing
     */
    public AgUiEncoder(String threadId, String clientRunId, List<Object> history) {
        this.threadId = threadId;
        this.clientRunId = clientRunId;
        this.history = List.copyOf(history);
    }

    @Override
    public List<Object> begins(String chatId, String run) {
        runId = run;
        List<Object> events = new ArrayList<>();
        events.add(opening());
        events.addAll(history);
        events.add(custom("satchel", JsonObjects.of("chatId", chatId, "runId", run)));
        return events;
    }

    @Override
    public List<Object> logs(JsonNode line) {
        return List.of(custom("log", line));
    }

    @Override
    public List<Object> textBegins(int part) {
        return List.of(
                event("TEXT_MESSAGE_START", "messageId", textId(runId, part), "role", "assistant"));
    }

    @Override
    public List<Object> textGrows(int part, String delta) {
        return List.of(
                event("TEXT_MESSAGE_CONTENT", "messageId", textId(runId, part), "delta", delta));
    }

    @Override
    public List<Object> textEnds(int part) {
        return List.of(event("TEXT_MESSAGE_END", "messageId", textId(runId, part)));
    }

    @Override
    public List<Object> stepBegins(String id, String name, JsonNode args) {
        String call = callId(runId, id);
        return List.of(
                event(
                        "TOOL_CALL_START",
                        "toolCallId",
                        call,
                        "toolCallName",
                        name,
                        "parentMessageId",
                        runId),
                event("TOOL_CALL_ARGS", "toolCallId", call, "delta", json(args)),
                event("TOOL_CALL_END", "toolCallId", call));
    }

    @Override
    public List<Object> stepSucceeds(String id, JsonNode result) {
        return List.of(result(id, json(result)));
    }

    @Override
    public List<Object> stepFails(String id, String error) {
        return List.of(result(id, json(Map.of("error", error))));
    }

    @Override
    public List<Object> handsBack(ProducedFile file) {
        return List.of(custom("file", file));
    }

    @Override
    public List<Object> succeeds(String messageId) {
        return List.of(closing("success"));
    }

    @Override
    public List<Object> isCancelled(String reason) {
        return List.of(closing("cancelled"));
    }

    @Override
    public List<Object> fails(String code, String message) {
        return List.of(event("RUN_ERROR", "message", message, "code", code));
    }

    /** Of a stream without a run: nothing is going on. */
    List<Object> onlyHistory() {
        List<Object> events = new ArrayList<>();
        events.add(opening());
        events.addAll(history);
        events.add(closing("success"));
        return events;
    }

    static String textId(String runId, int part) {
        return runId + "-text-" + part;
    }

    /** Runners number their steps anew in every run, but a thread is one list of messages. */
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

    private Map<String, Object> opening() {
        return event(
                "RUN_STARTED",
                "threadId",
                threadId,
                "runId",
                clientRunId,
                "protocolVersion",
                "1.0");
    }

    private Map<String, Object> closing(String outcome) {
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
