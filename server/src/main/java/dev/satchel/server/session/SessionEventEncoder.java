package dev.satchel.server.session;

import dev.satchel.http.EventStream;
import dev.satchel.protocol.Json;
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.StreamedText;
import dev.satchel.server.runlog.RunEvent;
import dev.satchel.server.runlog.RunEvent.Answered;
import dev.satchel.server.runlog.RunEvent.Asked;
import dev.satchel.server.runlog.RunEvent.Ended;
import dev.satchel.server.runlog.RunEvent.Failed;
import dev.satchel.server.runlog.RunEvent.Logged;
import dev.satchel.server.runlog.RunEvent.ModelUsed;
import dev.satchel.server.runlog.RunEvent.Queued;
import dev.satchel.server.runlog.RunEvent.Resumed;
import dev.satchel.server.runlog.RunEvent.Retried;
import dev.satchel.server.runlog.RunEvent.Started;
import dev.satchel.server.runlog.RunEvent.Steered;
import dev.satchel.server.runlog.RunEvent.StepFailed;
import dev.satchel.server.runlog.RunEvent.StepPrinted;
import dev.satchel.server.runlog.RunEvent.StepStarted;
import dev.satchel.server.runlog.RunEvent.StepSucceeded;
import dev.satchel.server.runlog.RunEvent.TextDelta;
import dev.satchel.server.runlog.RunEvent.ThinkingDelta;
import dev.satchel.server.runlog.RunEvent.Unknown;
import dev.satchel.server.runlog.RunLogLine;
import dev.satchel.server.runlog.RunLogStreamer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Encodes a run for clients of agent servers: first {@code session_start}, then {@code message}
 * events in the shape of their SDK, each after smaller events with what it has ({@code text_delta},
 * {@code thinking_delta}, {@code tool_use}, {@code tool_result}, {@code turn_complete}), an {@code
 * error} if the run failed, and exactly one {@code done} at the end.
 */
final class SessionEventEncoder implements RunLogStreamer.Sink {
    private final String session;
    private final boolean partial;
    private final EventStream events;
    private final StreamedText said = new StreamedText();
    private int rounds;

    SessionEventEncoder(String session, boolean partial, EventStream events) {
        this.session = session;
        this.partial = partial;
        this.events = events;
    }

    /** Sends the first event, which names the session. */
    void start(String version) throws IOException {
        Map<String, Object> start = new LinkedHashMap<>();
        start.put("sessionId", session);
        start.put("version", version);
        send("session_start", start);
    }

    @Override
    public void lines(List<RunLogLine> lines) throws IOException {
        for (RunLogLine line : lines) {
            if (!line.isJournal()) {
                send(RunEvent.parse(line));
            }
        }
    }

    @Override
    public void quiet() throws IOException {
        events.ping();
    }

    private void send(RunEvent event) throws IOException {
        switch (event) {
            case StepStarted step -> {
                said.keep();
                say();
                toolUse(step);
            }
            case StepPrinted step -> progress(step);
            case StepSucceeded step -> {
                said.keep();
                toolResult(step.id(), text(step.result()), false);
            }
            case StepFailed step -> {
                said.keep();
                toolResult(step.id(), step.error(), true);
            }
            case TextDelta delta -> {
                said.append(false, delta.text());
                delta("text_delta", "text", delta.text());
            }
            case ThinkingDelta delta -> {
                said.append(true, delta.text());
                delta("thinking_delta", "thinking", delta.text());
            }
            case Asked asked -> {
                said.keep();
                say();
                ask(asked);
            }
            case ModelUsed _ -> {
                said.keep();
                rounds++;
            }
            case Retried retried -> retry(retried);
            case Resumed resumed -> resume(resumed);
            case Queued queued -> queued(queued);
            case Steered steered -> {
                said.keep();
                say();
                message("user", textBlock(steered.text()));
            }
            case Answered answered -> result(answered);
            case Failed failed -> send("error", Map.of("error", failed.message()));
            case Ended ended -> done(ended);
            case Started _, Logged _, Unknown _ -> {} // not part of this protocol
        }
    }

    private void ask(Asked asked) throws IOException {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", "system");
        event.put("subtype", "ask");
        event.put("ask", asked.line());
        event.put("session_id", session);
        send("message", event);
    }

    /** With the status if the run waits for people: it goes on when they have answered. */
    private void done(Ended ended) throws IOException {
        Map<String, Object> done = new LinkedHashMap<>();
        done.put("sessionId", session);
        if (ended.status().equals("waiting")) {
            done.put("status", ended.status());
        }
        send("done", done);
    }

    private void toolUse(StepStarted step) throws IOException {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("type", "tool_use");
        block.put("id", step.id());
        block.put("name", step.name());
        block.put("input", step.args());
        Map<String, Object> use = new LinkedHashMap<>(block);
        use.remove("type");
        send("tool_use", use);
        message("assistant", block);
    }

    private void toolResult(String id, String content, boolean failed) throws IOException {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("type", "tool_result");
        block.put("tool_use_id", id);
        block.put("content", content);
        block.put("is_error", failed);
        Map<String, Object> result = new LinkedHashMap<>(block);
        result.remove("type");
        send("tool_result", result);
        message("user", block);
    }

    private void delta(String type, String field, String text) throws IOException {
        if (partial) {
            Map<String, Object> delta = new LinkedHashMap<>();
            delta.put("type", type);
            delta.put(field, text);
            send(type, Map.of("delta", text));
            Map<String, Object> event = new LinkedHashMap<>();
            event.put("type", "content_block_delta");
            event.put("index", 0);
            event.put("delta", delta);
            send("message", Map.of("type", "stream_event", "event", event));
        }
    }

    /** What was said before a step is a message of its own, as the SDK has it. */
    private void say() throws IOException {
        for (ContentBlock block : said.blocks()) {
            switch (block) {
                case ContentBlock.Text text -> text(text.text(), partial);
                case ContentBlock.Thinking thinking -> think(thinking);
                default -> throw new IllegalStateException("neither text nor thinking");
            }
        }
        said.clear();
    }

    private void text(String text, boolean isSent) throws IOException {
        if (!isSent) {
            send("text_delta", Map.of("delta", text));
        }
        message("assistant", textBlock(text));
    }

    private void think(ContentBlock.Thinking thinking) throws IOException {
        if (!partial) {
            send("thinking_delta", Map.of("delta", thinking.text()));
        }
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("type", "thinking");
        block.put("thinking", thinking.text());
        message("assistant", block);
    }

    private static Map<String, Object> textBlock(String text) {
        Map<String, Object> block = new LinkedHashMap<>();
        block.put("type", "text");
        block.put("text", text);
        return block;
    }

    private void progress(StepPrinted step) throws IOException {
        if (partial) {
            Map<String, Object> event = new LinkedHashMap<>();
            event.put("type", "tool_progress");
            event.put("tool_use_id", step.id());
            event.put("stream", step.stream());
            event.put("text", step.text());
            event.put("session_id", session);
            send("message", event);
        }
    }

    /** Withdraws the partial messages since the last whole one. */
    private void retry(Retried retried) throws IOException {
        said.withdraw();
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", "system");
        event.put("subtype", "api_retry");
        event.put("attempt", retried.attempt());
        event.put("retry_delay_ms", retried.delayMs());
        event.put("error", retried.message());
        event.put("code", retried.code());
        if (retried.model() != null) {
            event.put("model", retried.model());
        }
        event.put("session_id", session);
        send("message", event);
    }

    /** The SDK has no message of its own for it. */
    private void queued(Queued queued) throws IOException {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", "system");
        event.put("subtype", "queued");
        event.put("position", queued.position());
        event.put("session_id", session);
        send("message", event);
    }

    /** Withdraws as a retry does; the SDK has no message of its own for it. */
    private void resume(Resumed resumed) throws IOException {
        said.withdraw();
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", "system");
        event.put("subtype", "resumed");
        event.put("attempt", resumed.attempt());
        event.put("session_id", session);
        send("message", event);
    }

    private void result(Answered answered) throws IOException {
        String message = answered.message();
        for (ContentBlock thinking : said.thoughts()) {
            think((ContentBlock.Thinking) thinking);
        }
        text(message, partial && said.hasText()); // not every runner sends parts
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("type", "result");
        result.put("subtype", "success");
        result.put("is_error", false);
        result.put("result", message);
        result.put("session_id", session);
        if (rounds > 0) {
            result.put("num_turns", rounds);
        }
        if (!answered.notHandedOver().isEmpty()) {
            result.put("not_handed_over", answered.notHandedOver());
        }
        if (answered.stopped() != null) {
            result.put("stopped", answered.stopped());
        }
        JsonNode usage = answered.usage();
        if (usage != null) {
            result.put("usage", usage(usage));
        }
        if (answered.workspace() != null) {
            result.put("workspace", answered.workspace());
        }
        Map<String, Object> complete = new LinkedHashMap<>();
        if (rounds > 0) {
            complete.put("numTurns", rounds);
        }
        complete.put("result", message);
        send("turn_complete", complete);
        send("message", result);
    }

    /** In the names of the SDK. */
    private static Map<String, Object> usage(JsonNode usage) {
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("input_tokens", usage.path("inputTokens").longValue(0));
        counts.put("output_tokens", usage.path("outputTokens").longValue(0));
        counts.put("cache_read_input_tokens", usage.path("cacheReadTokens").longValue(0));
        counts.put("cache_creation_input_tokens", usage.path("cacheWriteTokens").longValue(0));
        return counts;
    }

    private void message(String role, Map<String, Object> block) throws IOException {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("type", "message");
        message.put("role", role);
        message.put("content", List.of(block));
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", role);
        event.put("message", message);
        event.put("session_id", session);
        send("message", event);
    }

    private void send(String name, Map<String, Object> data) throws IOException {
        events.send(name, Json.MAPPER.writeValueAsString(data));
    }

    /** A string as it is, anything else as JSON. */
    static String text(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toString();
    }
}
