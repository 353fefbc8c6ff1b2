package dev.satchel.runner.model;

import dev.satchel.protocol.Json;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.util.List;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The Messages API of Anthropic, which Bedrock offers too. */
final class AnthropicApi implements ModelApi {
    /** A limit is required; this is enough for a long file and less than every model allows. */
    private static final int MAX_TOKENS = 16_384;

    private final ModelSettings settings;

    AnthropicApi(ModelSettings settings) {
        this.settings = settings;
    }

    @Override
    public ReplyReader reader(ReplyListener listener) {
        return new AnthropicReplyReader(settings, listener);
    }

    @Override
    public JsonNode request(ChatHistory history, List<ToolDescription> tools) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        if (settings.provider() == ModelProvider.BEDROCK) { // the model is part of the address
            body.put("anthropic_version", "bedrock-2023-05-31");
        } else {
            body.put("model", settings.name()).put("stream", true);
        }
        int configured = settings.options().maxOutputTokens();
        int limit = configured > 0 ? configured : MAX_TOKENS;
        AnthropicThinking.of(settings).write(body, limit);
        ObjectNode system = body.putArray("system").addObject();
        system.put("type", "text").put("text", history.systemPrompt());
        markCached(system);
        if (!tools.isEmpty()) {
            ArrayNode described = body.putArray("tools");
            tools.forEach(tool -> described.add(describe(tool)));
            markCached((ObjectNode) described.get(described.size() - 1));
        }
        ArrayNode messages = body.putArray("messages");
        history.messages().forEach(message -> add(message, messages));
        markLastUserMessages(messages);
        return body;
    }

    private static ObjectNode describe(ToolDescription tool) {
        ObjectNode described = Json.MAPPER.createObjectNode();
        described
                .put("name", ProviderToolNames.sent(tool.name()))
                .put("description", tool.description());
        described.set("input_schema", OpenAiApi.objectSchema(tool));
        return described;
    }

    private void add(ChatHistory.Message message, ArrayNode messages) {
        switch (message) {
            case ChatHistory.Question question -> {
                ArrayNode content = content("user", messages);
                boolean takesPdf = settings.takesPdf();
                addText(question.text(takesPdf), content);
                question.images().forEach(image -> content.add(image(image)));
                if (takesPdf) {
                    question.documents().forEach(pdf -> content.add(document(pdf)));
                }
            }
            case ChatHistory.Reply reply -> add(reply.reply(), messages);
            case ChatHistory.Outcome outcome -> {
                ToolResult result = outcome.result();
                ObjectNode block = content("user", messages).addObject();
                block.put("type", "tool_result").put("tool_use_id", outcome.call().id());
                ArrayNode parts = block.putArray("content");
                addText(result.text(), parts);
                result.images().forEach(image -> parts.add(image(image)));
                if (!result.succeeded()) {
                    block.put("is_error", true);
                }
            }
        }
    }

    private void add(ModelReply reply, ArrayNode messages) {
        ModelReply.Original original = reply.original();
        if (original != null && original.model().equals(settings.qualifiedName())) {
            content("assistant", messages).addAll((ArrayNode) original.content().deepCopy());
            return;
        }
        if (reply.text().isBlank() && reply.calls().isEmpty()) {
            return; // an empty message is refused
        }
        ArrayNode content = content("assistant", messages);
        if (!reply.text().isBlank()) {
            addText(reply.text(), content);
        }
        for (ModelReply.Call call : reply.calls()) {
            ObjectNode block = content.addObject();
            block.put("type", "tool_use").put("id", call.id());
            block.put("name", ProviderToolNames.sent(call.tool()));
            block.set("input", objectOrEmpty(call.arguments()));
        }
    }

    /** The content of the last message, which is a new one when its role differs. */
    private static ArrayNode content(String role, ArrayNode messages) {
        JsonNode last = messages.path(messages.size() - 1);
        if (last.path("role").asString("").equals(role)) {
            return (ArrayNode) last.path("content");
        }
        return messages.addObject().put("role", role).putArray("content");
    }

    private static void addText(String text, ArrayNode content) {
        content.addObject().put("type", "text").put("text", text.isBlank() ? "(nothing)" : text);
    }

    private static ObjectNode image(ToolResult.Image image) {
        ObjectNode block = Json.MAPPER.createObjectNode().put("type", "image");
        block.putObject("source")
                .put("type", "base64")
                .put("media_type", image.mimeType())
                .put("data", image.base64());
        return block;
    }

    private static ObjectNode document(ChatHistory.Document pdf) {
        ObjectNode block = Json.MAPPER.createObjectNode().put("type", "document");
        block.putObject("source")
                .put("type", "base64")
                .put("media_type", "application/pdf")
                .put("data", pdf.base64());
        return block.put("title", pdf.name());
    }

    /**
     * The provider caches up to the marks: the older of the two finds what the last round stored,
     * the newer stores for the next.
     */
    private static void markLastUserMessages(ArrayNode messages) {
        int marked = 0;
        for (int i = messages.size() - 1; i >= 0 && marked < 2; i--) {
            JsonNode message = messages.get(i);
            if (message.path("role").asString("").equals("user")) {
                JsonNode content = message.path("content");
                markCached((ObjectNode) Objects.requireNonNull(content.get(content.size() - 1)));
                marked++;
            }
        }
    }

    private static void markCached(ObjectNode block) {
        block.putObject("cache_control").put("type", "ephemeral");
    }

    static JsonNode objectOrEmpty(String json) {
        try {
            JsonNode parsed = Json.MAPPER.readTree(json);
            return parsed.isObject() ? parsed : Json.MAPPER.createObjectNode();
        } catch (JacksonException e) {
            return Json.MAPPER.createObjectNode();
        }
    }
}
