package dev.satchel.server.dialect.agui;

import dev.satchel.protocol.Json;
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
import dev.satchel.server.runlog.RunEvent.Cut;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Encodes AG-UI 1.0. Thread and run have the ids that the client gave them; ours are sent in a
 * custom event. Message ids derive from the run's id, so a snapshot and a live stream use the same
 * ids.
 */
public final class AgUiEncoder implements EventEncoder {
    static final String REASONING = "reasoning";

    /** The payload of an answer to a question, and of a decision. */
    private static final Map<String, Object> ANSWER =
            schema("text", Map.of("text", Map.of("type", "string")));

    private static final Map<String, Object> DECISION =
            schema(
                    "approved",
                    JsonObjects.of(
                            "approved",
                            Map.of("type", "boolean"),
                            "reason",
                            Map.of("type", "string"),
                            "remember",
                            Map.of("enum", List.of("run", "chat"))));

    private static Map<String, Object> schema(String required, Map<String, Object> properties) {
        return JsonObjects.of(
                "type", "object", "properties", properties, "required", List.of(required));
    }

    private final String threadId;
    private final String clientRunId;
    private final List<Object> history;
    private final AgUiMessages messages;
    private String runId = "";

    /** For a client whose thread is empty. */
    public AgUiEncoder(String threadId, String clientRunId) {
        this(threadId, clientRunId, new AgUiMessages(List.of()), List.of());
    }

    /**
     * @param messages those that the client has before the run
     * @param history events that tell the client of the thread so far
     */
    AgUiEncoder(String threadId, String clientRunId, AgUiMessages messages, List<Object> history) {
        this.threadId = threadId;
        this.clientRunId = clientRunId;
        this.messages = messages;
        this.history = List.copyOf(history);
    }

    @Override
    public List<Object> encode(StreamEvent event) {
        return switch (event) {
            case RunStarted run -> start(run);
            case Logged log -> List.of(custom("log", log.line()));
            case TextStarted text -> startText(textId(runId, text.part()));
            case TextAppended text -> append(textId(runId, text.part()), text.delta());
            case TextEnded text ->
                    List.of(event("TEXT_MESSAGE_END", "messageId", textId(runId, text.part())));
            case ThinkingStarted thinking -> startThinking(thinkingId(runId, thinking.part()));
            case ThinkingAppended thinking -> think(thinking);
            case ThinkingEnded thinking -> endThinking(thinkingId(runId, thinking.part()));
            case Withdrawn withdrawn -> withdraw(withdrawn);
            case Asked asked -> List.of(custom("ask", asked.line()));
            case StepStarted step -> call(step);
            case StepPrinted step ->
                    List.of(
                            custom(
                                    "output",
                                    JsonObjects.of(
                                            "toolCallId",
                                            callId(runId, step.id()),
                                            "stream",
                                            step.stream(),
                                            "text",
                                            step.text())));
            case StepSucceeded step -> result(step.id(), json(step.result()), step.cut());
            case StepFailed step ->
                    result(step.id(), json(Map.of("error", step.error())), step.cut());
            case ModelUsed used -> List.of(custom("usage", used.line()));
            case Retried retried -> List.of(custom("retry", retried));
            case Resumed resumed -> List.of(custom("resumed", resumed));
            case Queued queued -> List.of(custom("queued", queued));
            case Steered steered -> List.of(custom("steer", steered));
            case FileProduced file -> List.of(custom("file", file));
            case FileNotHandedOver file -> List.of(custom("notHandedOver", file));
            case WorkspacePending _ -> List.of(custom("workspace", Map.of("workspace", "pending")));
            case RunSucceeded run -> List.of(succeeded(run));
            case RunWaiting waiting -> List.of(interrupted(waiting));
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

    private List<Object> startText(String id) {
        messages.start(id, "assistant");
        return List.of(event("TEXT_MESSAGE_START", "messageId", id, "role", "assistant"));
    }

    private List<Object> append(String id, String delta) {
        messages.append(id, delta);
        return List.of(event("TEXT_MESSAGE_CONTENT", "messageId", id, "delta", delta));
    }

    private List<Object> startThinking(String id) {
        messages.start(id, REASONING);
        return List.of(
                event("REASONING_START", "messageId", id),
                event("REASONING_MESSAGE_START", "messageId", id, "role", REASONING));
    }

    private List<Object> think(ThinkingAppended thinking) {
        String id = thinkingId(runId, thinking.part());
        messages.append(id, thinking.delta());
        return List.of(
                event("REASONING_MESSAGE_CONTENT", "messageId", id, "delta", thinking.delta()));
    }

    private static List<Object> endThinking(String id) {
        return List.of(
                event("REASONING_MESSAGE_END", "messageId", id),
                event("REASONING_END", "messageId", id));
    }

    /** A snapshot replaces the messages of the client; a long run only names what is withdrawn. */
    private List<Object> withdraw(Withdrawn withdrawn) {
        List<String> text = withdrawn.text().stream().map(part -> textId(runId, part)).toList();
        List<String> thinking =
                withdrawn.thinking().stream().map(part -> thinkingId(runId, part)).toList();
        text.forEach(messages::remove);
        thinking.forEach(messages::empty);
        List<Object> events = new ArrayList<>();
        events.add(
                custom(
                        "withdrawn",
                        JsonObjects.of(
                                "messageIds",
                                Stream.concat(text.stream(), thinking.stream()).toList())));
        messages.all().ifPresent(all -> events.add(event("MESSAGES_SNAPSHOT", "messages", all)));
        return events;
    }

    private List<Object> call(StepStarted step) {
        String call = callId(runId, step.id());
        messages.call(runId, AgUiHistory.call(call, step.name(), json(step.args())));
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

    static String thinkingId(String runId, int part) {
        return runId + "-thinking-" + part;
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

    /** The client answers in the {@code resume} of its next run. */
    private Map<String, Object> interrupted(RunWaiting waiting) {
        List<Object> interrupts = waiting.asks().stream().<Object>map(this::interrupt).toList();
        return event(
                "RUN_FINISHED",
                "threadId",
                threadId,
                "runId",
                clientRunId,
                "outcome",
                JsonObjects.of("type", "interrupt", "interrupts", interrupts));
    }

    private Map<String, Object> interrupt(Asked asked) {
        boolean question = asked.kind().equals("question");
        return JsonObjects.of(
                "id",
                asked.id(),
                "reason",
                question ? "input_required" : "tool_call",
                "message",
                question ? asked.question() : "May the agent call " + asked.tool() + "?",
                "toolCallId",
                callId(runId, asked.id()),
                "responseSchema",
                question ? ANSWER : DECISION,
                "metadata",
                Map.of("satchel", asked.line()));
    }

    private Map<String, Object> succeeded(RunSucceeded run) {
        Map<String, Object> finished = finished("success");
        Map<String, Object> result = JsonObjects.of("messageId", run.messageId());
        String stopped = run.stopped();
        if (stopped != null) {
            result.put("stopped", stopped);
        }
        JsonNode usage = run.usage();
        if (usage != null) {
            result.put("usage", usage);
        }
        if (result.size() > 1) {
            finished.put("result", result);
        }
        return finished;
    }

    /** No member of the result stands for values that were cut, so a custom event says it. */
    private List<Object> result(String id, String content, Cut cut) {
        String call = callId(runId, id);
        messages.result(AgUiHistory.result(resultId(runId, id), call, content));
        Map<String, Object> result =
                event(
                        "TOOL_CALL_RESULT",
                        "messageId",
                        resultId(runId, id),
                        "toolCallId",
                        call,
                        "content",
                        content,
                        "role",
                        "tool");
        return cut.truncated() ? List.of(result, truncated(call, cut)) : List.of(result);
    }

    static Map<String, Object> truncated(String call, Cut cut) {
        Map<String, Object> value = JsonObjects.of("toolCallId", call);
        Long size = cut.originalSize();
        if (size != null) {
            value.put("originalSize", size);
        }
        return custom("truncated", value);
    }

    static Map<String, Object> custom(String name, Object value) {
        return event("CUSTOM", "name", name, "value", value);
    }
}
