package dev.satchel.runner.model;

import dev.satchel.protocol.Json;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The chat completions of OpenAI, which most other providers and servers offer too. */
final class OpenAiApi implements ModelApi {
    private final ModelSettings settings;

    OpenAiApi(ModelSettings settings) {
        this.settings = settings;
    }

    @Override
    public ReplyReader reader(ReplyListener listener) {
        return new OpenAiReplyReader(settings, listener);
    }

    @Override
    public JsonNode request(ChatHistory history, List<ToolDescription> tools) {
        ObjectNode body = Json.MAPPER.createObjectNode();
        body.put("model", settings.name()).put("stream", true);
        body.putObject("stream_options").put("include_usage", true);
        limit(body);
        think(body);
        if (!tools.isEmpty()) {
            ArrayNode described = body.putArray("tools");
            tools.forEach(tool -> described.add(describe(tool)));
        }
        ArrayNode messages = body.putArray("messages");
        messages.addObject().put("role", "system").put("content", history.systemPrompt());
        addAll(history.messages(), messages);
        return body;
    }

    /** Servers that copied an older version of the format know only the older name. */
    private void limit(ObjectNode body) {
        int limit = settings.options().maxOutputTokens();
        if (limit > 0) {
            boolean current =
                    settings.provider() == ModelProvider.AZURE
                            || (settings.provider() == ModelProvider.OPENAI
                                    && settings.baseUrl() == null);
            body.put(current ? "max_completion_tokens" : "max_tokens", limit);
        }
    }

    private void think(ObjectNode body) {
        String wanted = settings.options().thinking();
        boolean isBudget = wanted != null && wanted.matches("[0-9]{1,7}");
        boolean gemini = settings.provider() == ModelProvider.GEMINI;
        if (wanted != null && !(gemini && isBudget)) {
            body.put(
                    "reasoning_effort",
                    isBudget ? effort(Integer.parseInt(wanted)) : effort(wanted));
        }
        boolean canThink = settings.name().matches("(models/)?gemini-(2\\.5|[3-9]).*");
        if (gemini && !"off".equals(wanted) && (canThink || wanted != null)) {
            ObjectNode config =
                    body.putObject("extra_body").putObject("google").putObject("thinking_config");
            config.put("include_thoughts", true);
            if (wanted != null && isBudget) {
                config.put("thinking_budget", Integer.parseInt(wanted));
            }
        }
    }

    private static String effort(String level) {
        return level.equals("off") ? "none" : level;
    }

    /** This format has no number of tokens. */
    private static String effort(int budget) {
        if (budget == 0) {
            return "none";
        }
        return budget <= 2_048 ? "low" : budget <= 8_192 ? "medium" : "high";
    }

    private static ObjectNode describe(ToolDescription tool) {
        ObjectNode described = Json.MAPPER.createObjectNode().put("type", "function");
        ObjectNode function = described.putObject("function");
        function.put("name", ProviderToolNames.sent(tool.name()))
                .put("description", tool.description());
        function.set("parameters", objectSchema(tool));
        return described;
    }

    /** Every provider requires that the schema says that it describes an object. */
    static ObjectNode objectSchema(ToolDescription tool) {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object");
        schema.setAll(tool.parameters());
        if (!schema.has("properties")) {
            schema.putObject("properties");
        }
        return schema;
    }

    /**
     * A tool result can only be text. Its images follow in a message of the user after the last
     * result of the round, because no message may separate a call from its result.
     */
    private void addAll(List<ChatHistory.Message> history, ArrayNode messages) {
        List<ToolResult.Image> images = new ArrayList<>();
        for (ChatHistory.Message message : history) {
            if (!(message instanceof ChatHistory.Outcome)) {
                flush(images, messages);
            }
            switch (message) {
                case ChatHistory.Question question -> add(question, messages);
                case ChatHistory.Reply reply -> add(reply.reply(), messages);
                case ChatHistory.Outcome outcome -> {
                    ToolResult result = outcome.result();
                    messages.addObject()
                            .put("role", "tool")
                            .put("tool_call_id", outcome.call().id())
                            .put("content", orNothing(result.text()));
                    images.addAll(result.images());
                }
            }
        }
        flush(images, messages);
    }

    private static void flush(List<ToolResult.Image> images, ArrayNode messages) {
        if (!images.isEmpty()) {
            addUser("The images that the tools above returned:", images, messages);
            images.clear();
        }
    }

    private void add(ChatHistory.Question question, ArrayNode messages) {
        boolean takesPdf = settings.takesPdf();
        addUser(question.text(takesPdf), question.images(), messages);
        if (!takesPdf || question.documents().isEmpty()) {
            return;
        }
        ObjectNode message = (ObjectNode) messages.get(messages.size() - 1);
        if (message.path("content").isString()) {
            String text = message.path("content").stringValue();
            message.putArray("content").addObject().put("type", "text").put("text", text);
        }
        ArrayNode content = (ArrayNode) message.path("content");
        question.documents().forEach(pdf -> content.add(document(pdf)));
    }

    /** Gemini takes a PDF where others take an image. */
    private ObjectNode document(ChatHistory.Document pdf) {
        String data = "data:application/pdf;base64," + pdf.base64();
        ObjectNode part = Json.MAPPER.createObjectNode();
        if (settings.provider() == ModelProvider.GEMINI) {
            part.put("type", "image_url").putObject("image_url").put("url", data);
        } else {
            part.put("type", "file")
                    .putObject("file")
                    .put("filename", pdf.name())
                    .put("file_data", data);
        }
        return part;
    }

    private static void addUser(String text, List<ToolResult.Image> images, ArrayNode messages) {
        ObjectNode message = messages.addObject().put("role", "user");
        if (images.isEmpty()) {
            message.put("content", orNothing(text));
            return;
        }
        ArrayNode content = message.putArray("content");
        content.addObject().put("type", "text").put("text", orNothing(text));
        for (ToolResult.Image image : images) {
            content.addObject()
                    .put("type", "image_url")
                    .putObject("image_url")
                    .put("url", "data:" + image.mimeType() + ";base64," + image.base64())
                    .put("detail", "auto");
        }
    }

    private void add(ModelReply reply, ArrayNode messages) {
        ModelReply.Original original = reply.original();
        if (original != null && original.model().equals(settings.qualifiedName())) {
            messages.add(original.content().deepCopy());
            return;
        }
        if (!reply.text().isBlank() || !reply.calls().isEmpty()) { // an empty one is refused
            messages.add(message(reply.text(), reply.calls()));
        }
    }

    static ObjectNode message(String text, List<ModelReply.Call> calls) {
        ObjectNode message = Json.MAPPER.createObjectNode().put("role", "assistant");
        if (!text.isBlank()) {
            message.put("content", text);
        }
        if (!calls.isEmpty()) {
            ArrayNode sent = message.putArray("tool_calls");
            for (ModelReply.Call call : calls) {
                ObjectNode node = sent.addObject().put("id", call.id()).put("type", "function");
                node.putObject("function")
                        .put("name", ProviderToolNames.sent(call.tool()))
                        .put("arguments", AnthropicApi.objectOrEmpty(call.arguments()).toString());
            }
        }
        return message;
    }

    private static String orNothing(String text) {
        return text.isBlank() ? "(nothing)" : text;
    }
}
