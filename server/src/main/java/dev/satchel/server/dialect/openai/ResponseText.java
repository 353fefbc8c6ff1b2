package dev.satchel.server.dialect.openai;

import dev.satchel.server.dialect.JsonObjects;
import dev.satchel.server.dialect.StreamEvent.FileProduced;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The messages and thoughts of a response. The last message stays open until something else
 * follows, since the links of files belong to it.
 */
final class ResponseText {
    private final ResponseOutput output;
    private final String runId;
    private final Map<String, Map<String, Object>> items = new HashMap<>();
    private final StringBuilder text = new StringBuilder();
    private final List<Object> annotations = new ArrayList<>();
    private @Nullable Map<String, Object> open;

    ResponseText(ResponseOutput output, String runId) {
        this.output = output;
        this.runId = runId;
    }

    void startMessage(int part) {
        close();
        text.setLength(0);
        annotations.clear();
        Map<String, Object> item =
                JsonObjects.of(
                        "id",
                        "msg_" + runId + "_" + part,
                        "type",
                        "message",
                        "status",
                        "in_progress",
                        "role",
                        "assistant",
                        "content",
                        List.of());
        items.put("text-" + part, item);
        open = output.add(item);
        output.about(item, "response.content_part.added", "content_index", 0, "part", part());
    }

    void append(String delta) {
        Map<String, Object> item = Objects.requireNonNull(open);
        text.append(delta);
        output.about(
                item,
                "response.output_text.delta",
                "content_index",
                0,
                "delta",
                delta,
                "logprobs",
                List.of());
    }

    /** Adds a paragraph to the last message, or to one of its own. */
    void paragraph(String paragraph, @Nullable FileProduced file) {
        if (open == null) {
            startMessage(0);
        }
        append(text.isEmpty() ? paragraph : "\n\n" + paragraph);
        if (file != null) {
            Object citation = OpenAiText.fileCitation(file, text.length() - paragraph.length());
            annotations.add(citation);
            output.about(
                    Objects.requireNonNull(open),
                    "response.output_text.annotation.added",
                    "content_index",
                    0,
                    "annotation_index",
                    annotations.size() - 1,
                    "annotation",
                    citation);
        }
    }

    /** Ends the last message. */
    void close() {
        Map<String, Object> item = open;
        if (item == null) {
            return;
        }
        open = null;
        item.put("content", List.of(part()));
        output.about(
                item,
                "response.output_text.done",
                "content_index",
                0,
                "text",
                text.toString(),
                "logprobs",
                List.of());
        output.about(item, "response.content_part.done", "content_index", 0, "part", part());
        output.done(item, "completed");
    }

    void startThinking(int part) {
        close();
        text.setLength(0);
        Map<String, Object> item =
                JsonObjects.of(
                        "id",
                        "rs_" + runId + "_" + part,
                        "type",
                        "reasoning",
                        "summary",
                        List.of(),
                        "status",
                        "in_progress");
        items.put("thinking-" + part, item);
        output.add(item);
        output.about(
                item,
                "response.reasoning_summary_part.added",
                "summary_index",
                0,
                "part",
                summary());
    }

    void think(int part, String delta) {
        text.append(delta);
        output.about(
                Objects.requireNonNull(items.get("thinking-" + part)),
                "response.reasoning_summary_text.delta",
                "summary_index",
                0,
                "delta",
                delta);
    }

    void endThinking(int part) {
        Map<String, Object> item = Objects.requireNonNull(items.get("thinking-" + part));
        item.put("summary", List.of(summary()));
        output.about(
                item,
                "response.reasoning_summary_text.done",
                "summary_index",
                0,
                "text",
                text.toString());
        output.about(
                item,
                "response.reasoning_summary_part.done",
                "summary_index",
                0,
                "part",
                summary());
        output.done(item, "completed");
    }

    /** An item that was sent cannot be taken back: the whole response has it without its text. */
    void withdraw(List<Integer> texts, List<Integer> thoughts) {
        close();
        texts.forEach(part -> empty("text-" + part, "content"));
        thoughts.forEach(part -> empty("thinking-" + part, "summary"));
    }

    private void empty(String key, String member) {
        Map<String, Object> item = items.get(key);
        if (item != null && output.has(item)) {
            item.put(member, List.of());
            output.done(item, "incomplete");
        }
    }

    private Map<String, Object> part() {
        return JsonObjects.of(
                "type",
                "output_text",
                "text",
                text.toString(),
                "annotations",
                List.copyOf(annotations),
                "logprobs",
                List.of());
    }

    private Map<String, Object> summary() {
        return JsonObjects.of("type", "summary_text", "text", text.toString());
    }
}
