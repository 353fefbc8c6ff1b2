package dev.satchel.runner.model;

import dev.satchel.protocol.Json;
import dev.satchel.runner.model.stream.BrokenStreamException;
import dev.satchel.runner.model.stream.ProviderErrorException;
import dev.satchel.runner.model.stream.ReplySize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a reply of Anthropic. The blocks are kept as they came, because thinking with its signature
 * must be sent back unchanged.
 */
final class AnthropicReplyReader implements ModelApi.ReplyReader {
    private final ModelSettings settings;
    private final ReplyListener listener;
    private final TreeMap<Integer, Block> blocks = new TreeMap<>();
    private final ObjectNode usage = Json.MAPPER.createObjectNode();
    private final ReplySize size = new ReplySize();
    private String stopReason = "";
    private String refusal = "";
    private boolean ended;

    AnthropicReplyReader(ModelSettings settings, ReplyListener listener) {
        this.settings = settings;
        this.listener = listener;
    }

    /** A block whose text arrives in pieces. */
    private record Block(ObjectNode node, StringBuilder text, StringBuilder input) {
        String type() {
            return node.path("type").asString("");
        }
    }

    @Override
    public void event(String data) throws IOException {
        JsonNode event = parse(data);
        int index = event.path("index").asInt(0);
        switch (event.path("type").asString("")) {
            case "message_start" -> count(event.at("/message/usage"));
            case "content_block_start" -> start(index, event.path("content_block"));
            case "content_block_delta" -> delta(index, event.path("delta"));
            case "message_delta" -> {
                count(event.path("usage"));
                stop(event.path("delta"));
            }
            case "message_stop" -> ended = true;
            case "error" -> throw error(event);
            default -> {} // ping, content_block_stop, and events that are new
        }
    }

    @Override
    public void whole(JsonNode body) throws IOException {
        if (body.path("type").asString("").equals("error") || !body.path("content").isArray()) {
            throw error(body);
        }
        count(body.path("usage"));
        int index = 0;
        for (JsonNode block : body.path("content")) {
            start(index++, block);
        }
        stop(body);
        ended = true;
    }

    @Override
    public ModelReply reply() throws IOException, ModelException {
        if (!ended && stopReason.isEmpty()) {
            throw new BrokenStreamException("The model's answer broke off.");
        }
        StringBuilder text = new StringBuilder();
        List<ModelReply.Call> calls = new ArrayList<>();
        ArrayNode content = Json.MAPPER.createArrayNode();
        for (Block block : blocks.values()) {
            switch (block.type()) {
                case "text" -> text.append(block.text());
                case "tool_use" -> calls.add(call(block));
                default -> {} // thinking is only sent back
            }
            finish(block, content);
        }
        if (stopReason.equals("refusal")) {
            String words = refusal.isBlank() ? text.toString().strip() : refusal;
            throw new ModelException(
                    ModelException.Code.MODEL_REFUSED,
                    words.isEmpty()
                            ? "The model refuses to answer."
                            : "The model refuses: " + words);
        }
        boolean cut =
                stopReason.equals("max_tokens")
                        || stopReason.equals("model_context_window_exceeded");
        return new ModelReply(
                text.toString(),
                calls,
                cut,
                usage(),
                content.isEmpty()
                        ? null
                        : new ModelReply.Original(settings.qualifiedName(), content));
    }

    private void start(int index, JsonNode given) throws IOException {
        if (!(given instanceof ObjectNode node)) {
            throw new BrokenStreamException("The model's answer has a block without content.");
        }
        String _ = size.add(node.toString());
        Block block = new Block(node.deepCopy(), new StringBuilder(), new StringBuilder());
        blocks.put(index, block);
        addText(block, node.path("text").asString(""));
        think(block, node.path("thinking").asString(""));
    }

    private void delta(int index, JsonNode delta) throws IOException {
        Block block = blocks.get(index);
        if (block == null) {
            throw new BrokenStreamException(
                    "The model's answer has a piece without its beginning.");
        }
        String _ = size.add(delta.toString());
        switch (delta.path("type").asString("")) {
            case "text_delta" -> addText(block, delta.path("text").asString(""));
            case "thinking_delta" -> think(block, delta.path("thinking").asString(""));
            case "signature_delta" -> {
                String before = block.node().path("signature").asString("");
                block.node().put("signature", before + delta.path("signature").asString(""));
            }
            case "input_json_delta" ->
                    block.input().append(delta.path("partial_json").asString(""));
            default -> {} // citations
        }
    }

    private void addText(Block block, String piece) throws IOException {
        block.text().append(block.type().equals("text") ? piece : "");
        if (block.type().equals("text") && !piece.isEmpty()) {
            listener.text(piece);
        }
    }

    private void think(Block block, String piece) throws IOException {
        if (block.type().equals("thinking") && !piece.isEmpty()) {
            block.text().append(piece);
            listener.thinking(piece);
        }
    }

    private void stop(JsonNode node) {
        if (node.path("stop_reason").isString()) {
            stopReason = node.path("stop_reason").asString();
        }
        refusal += node.at("/stop_details/explanation").asString("");
    }

    private static ModelReply.Call call(Block block) {
        String streamed = block.input().toString();
        return new ModelReply.Call(
                block.node().path("id").asString(""),
                block.node().path("name").asString(""),
                streamed.isEmpty() ? block.node().path("input").toString() : streamed);
    }

    /** Adds the block as it is sent back; an empty text would be refused. */
    private static void finish(Block block, ArrayNode content) {
        ObjectNode node = block.node();
        switch (block.type()) {
            case "text" -> {
                if (block.text().toString().isBlank()) {
                    return;
                }
                node.put("text", block.text().toString());
            }
            case "thinking" -> node.put("thinking", block.text().toString());
            case "tool_use" ->
                    node.set("input", AnthropicApi.objectOrEmpty(call(block).arguments()));
            default -> {} // redacted thinking is complete when it starts
        }
        content.add(node);
    }

    private void count(JsonNode counted) {
        if (counted instanceof ObjectNode numbers) {
            numbers.properties()
                    .forEach(
                            number -> {
                                if (number.getValue().isNumber()) {
                                    usage.set(number.getKey(), number.getValue());
                                }
                            });
        }
    }

    private @Nullable TokenUsage usage() {
        return usage.isEmpty()
                ? null
                : new TokenUsage(
                        settings.displayName(),
                        settings.provider().wireName(),
                        usage.path("input_tokens").asLong(0),
                        usage.path("output_tokens").asLong(0),
                        usage.path("cache_read_input_tokens").asLong(0),
                        usage.path("cache_creation_input_tokens").asLong(0));
    }

    private static JsonNode parse(String data) throws BrokenStreamException {
        try {
            return Json.MAPPER.readTree(data);
        } catch (JacksonException e) {
            throw new BrokenStreamException("The model's answer has an event that is not JSON.");
        }
    }

    private static ProviderErrorException error(JsonNode event) {
        int status =
                switch (event.at("/error/type").asString("")) {
                    case "invalid_request_error" -> 400;
                    case "authentication_error" -> 401;
                    case "permission_error" -> 403;
                    case "not_found_error" -> 404;
                    case "request_too_large" -> 413;
                    case "rate_limit_error" -> 429;
                    case "timeout_error" -> 504;
                    case "overloaded_error" -> 529;
                    default -> 500;
                };
        return new ProviderErrorException(status, event.toString(), null);
    }
}
