package dev.satchel.server.dialect.openai;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.SandboxLine.Result;
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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the events of the Responses API. Steps are {@code mcp_call} items, which the server
 * executes, and asks are {@code mcp_approval_request} items.
 */
public final class ResponseEncoder implements EventEncoder {
    private static final String LABEL = "satchel";

    private final Map<String, Object> response;
    private final ResponseOutput output = new ResponseOutput();
    private final ResponseText text;
    private final URI publicUrl;
    private final String runId;
    private final Map<String, Map<String, Object>> calls = new HashMap<>();
    private int startingAfter = -1;

    /**
     * @param head of the response: what is known before the run
     */
    public ResponseEncoder(URI publicUrl, String runId, Map<String, Object> head) {
        this.publicUrl = publicUrl;
        this.runId = runId;
        this.response = new LinkedHashMap<>(head);
        response.putAll(
                JsonObjects.of(
                        "error", JsonObjects.NULL,
                        "incomplete_details", JsonObjects.NULL,
                        "instructions", JsonObjects.NULL,
                        "metadata", Map.of(),
                        "parallel_tool_calls", true,
                        "temperature", JsonObjects.NULL,
                        "tool_choice", "auto",
                        "tools", List.of(),
                        "top_p", JsonObjects.NULL,
                        "usage", JsonObjects.NULL));
        this.text = new ResponseText(output, runId);
        response.put("status", "in_progress");
        response.put("output", List.of());
    }

    /** Leaves out the events that a client has. */
    ResponseEncoder startingAfter(int sequence) {
        startingAfter = sequence;
        return this;
    }

    /** The response as it is now; nothing may be encoded afterwards. */
    Map<String, Object> response() {
        text.close();
        response.put("output", output.items());
        return response;
    }

    @Override
    public boolean hasNamedEvents() {
        return true;
    }

    /** The response after an answer has none of the items before it. */
    @Override
    public void resumed() {
        text.close();
        output.clear();
        begin();
    }

    @Override
    public List<Object> encode(StreamEvent event) {
        add(event);
        return output.take().stream()
                .filter(
                        sent ->
                                ((Map<?, ?>) sent).get("sequence_number") instanceof Integer number
                                        && number > startingAfter)
                .toList();
    }

    private void add(StreamEvent event) {
        switch (event) {
            case RunStarted _ -> begin();
            case TextStarted started -> text.startMessage(started.part());
            case TextAppended appended -> text.append(appended.delta());
            case TextEnded _ -> {} // links of files may follow
            case ThinkingStarted thinking -> text.startThinking(thinking.part());
            case ThinkingAppended thinking -> text.think(thinking.part(), thinking.delta());
            case ThinkingEnded thinking -> text.endThinking(thinking.part());
            case Withdrawn withdrawn -> text.withdraw(withdrawn.text(), withdrawn.thinking());
            case StepStarted step -> call(step);
            case StepSucceeded step -> succeed(step);
            case StepFailed step -> fail(step);
            case FileProduced file -> text.paragraph(OpenAiText.link(publicUrl, file), file);
            case FileNotHandedOver file -> text.paragraph(OpenAiText.notHandedOver(file), null);
            case RunWaiting waiting -> ask(waiting);
            case RunSucceeded run -> succeed(run);
            case RunCancelled _ -> end("response.incomplete", "cancelled", null);
            case RunFailed run -> failed(run);
            case Asked _ -> {} // the end of the stream names all
            case StepPrinted _,
                    ModelUsed _,
                    Queued _,
                    Retried _,
                    Resumed _,
                    Steered _,
                    Logged _ -> {}
            case WorkspacePending _ -> {} // responses have no place for them
        }
    }

    private void begin() {
        output.event("response.created", "response", new LinkedHashMap<>(response));
        output.event("response.in_progress", "response", new LinkedHashMap<>(response));
    }

    private void call(StepStarted step) {
        text.close();
        String arguments = Json.MAPPER.writeValueAsString(step.args());
        Map<String, Object> item =
                JsonObjects.of(
                        "id",
                        "mcp_" + runId + "_" + step.id(),
                        "type",
                        "mcp_call",
                        "status",
                        "in_progress",
                        "server_label",
                        LABEL,
                        "name",
                        step.name(),
                        "arguments",
                        arguments);
        calls.put(step.id(), item);
        output.add(item);
        output.about(item, "response.mcp_call.in_progress");
        output.about(item, "response.mcp_call_arguments.done", "arguments", arguments);
    }

    private void succeed(StepSucceeded step) {
        Map<String, Object> item = running(step.id());
        item.put("output", Json.MAPPER.writeValueAsString(step.result()));
        item.put("error", JsonObjects.NULL);
        output.about(item, "response.mcp_call.completed");
        output.done(item, "completed");
    }

    private void fail(StepFailed step) {
        Map<String, Object> item = running(step.id());
        item.put("output", JsonObjects.NULL);
        item.put(
                "error",
                JsonObjects.of(
                        "type",
                        "mcp_tool_execution_error",
                        "content",
                        List.of(JsonObjects.of("type", "text", "text", step.error()))));
        output.about(item, "response.mcp_call.failed");
        output.done(item, "failed");
    }

    /** A call that was approved began in the response before. */
    private Map<String, Object> running(String id) {
        text.close();
        Map<String, Object> item = Objects.requireNonNull(calls.get(id));
        return output.has(item) ? item : output.add(item);
    }

    private void ask(RunWaiting waiting) {
        text.close();
        for (Asked asked : waiting.asks()) {
            Map<String, Object> item =
                    JsonObjects.of(
                            "id",
                            asked.id(),
                            "type",
                            "mcp_approval_request",
                            "server_label",
                            LABEL,
                            "name",
                            asked.tool(),
                            "arguments",
                            Json.MAPPER.writeValueAsString(asked.line().path("args")));
            output.add(item);
            output.done(item, "completed");
        }
        response.put("usage", OpenAiUsage.of(null).ofResponse());
        end("response.completed", "completed", null);
    }

    private void succeed(RunSucceeded run) {
        response.put("usage", OpenAiUsage.of(run.usage()).ofResponse());
        if (Result.MAX_TOKENS.equals(run.stopped())) {
            end("response.incomplete", "incomplete", "max_output_tokens");
        } else {
            end("response.completed", "completed", null);
        }
    }

    private void failed(RunFailed run) {
        response.put(
                "error",
                JsonObjects.of(
                        "code", "server_error", "message", run.code() + ": " + run.message()));
        end("response.failed", "failed", null);
    }

    private void end(String event, String status, @Nullable String incomplete) {
        text.close();
        response.put("status", status);
        if (incomplete != null) {
            response.put("incomplete_details", JsonObjects.of("reason", incomplete));
        }
        response.put("output", output.items());
        output.event(event, "response", new LinkedHashMap<>(response));
    }
}
