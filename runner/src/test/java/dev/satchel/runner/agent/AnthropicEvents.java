package dev.satchel.runner.agent;

import dev.satchel.protocol.Json;
import java.util.ArrayList;
import java.util.List;

/** A streamed reply in the format of Anthropic's messages, with any number of tool calls. */
final class AnthropicEvents {
    private final List<String> blocks = new ArrayList<>();
    private String stopReason = "end_turn";
    private long inputTokens = 25;

    AnthropicEvents text(String text) {
        return block(
                "{\"type\":\"text\",\"text\":\"\"}",
                "{\"type\":\"text_delta\",\"text\":" + quoted(text) + "}");
    }

    AnthropicEvents call(String id, String tool, String arguments) {
        stopReason = "tool_use";
        return block(
                "{\"type\":\"tool_use\",\"id\":\"%s\",\"name\":\"%s\",\"input\":{}}"
                        .formatted(id, tool),
                "{\"type\":\"input_json_delta\",\"partial_json\":" + quoted(arguments) + "}");
    }

    /** The reply reached its token limit. */
    AnthropicEvents cut() {
        stopReason = "max_tokens";
        return this;
    }

    AnthropicEvents inputTokens(long tokens) {
        inputTokens = tokens;
        return this;
    }

    String events() {
        return unfinished()
                + event(
                        "message_delta",
                        "\"delta\":{\"stop_reason\":\"%s\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":15}"
                                .formatted(stopReason))
                + event("message_stop", "");
    }

    /** The reply without its end, as after a lost connection. */
    String unfinished() {
        return event(
                        "message_start",
                        """
                        "message":{"id":"msg_1","type":"message","role":"assistant","content":[],\
                        "model":"m","stop_reason":null,"stop_sequence":null,\
                        "usage":{"input_tokens":%d,"output_tokens":1}}\
                        """
                                .formatted(inputTokens))
                + String.join("", blocks);
    }

    private AnthropicEvents block(String start, String delta) {
        int index = blocks.size();
        blocks.add(
                event("content_block_start", "\"index\":" + index + ",\"content_block\":" + start)
                        + event("content_block_delta", "\"index\":" + index + ",\"delta\":" + delta)
                        + event("content_block_stop", "\"index\":" + index));
        return this;
    }

    private static String event(String type, String fields) {
        String separator = fields.isEmpty() ? "" : ",";
        return "event: %s\ndata: {\"type\":\"%s\"%s%s}\n\n"
                .formatted(type, type, separator, fields);
    }

    private static String quoted(String text) {
        return Json.MAPPER.writeValueAsString(text);
    }
}
