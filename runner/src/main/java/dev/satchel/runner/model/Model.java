package dev.satchel.runner.model;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.satchel.runner.model.ModelException.Code;
import dev.satchel.tools.ToolDescription;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** One model at one endpoint. */
public final class Model {
    private final ModelSettings settings;
    private final StreamingChatModel model;
    private final ModelErrorTranslator errors;

    Model(ModelSettings settings, StreamingChatModel model) {
        this.settings = settings;
        this.model = model;
        this.errors = new ModelErrorTranslator(settings.apiKey());
    }

    public String name() {
        return settings.name();
    }

    public ModelProvider provider() {
        return settings.provider();
    }

    /** How many tokens a request and its reply may have together; 0 when unknown. */
    public int contextTokens() {
        return settings.options().contextTokens();
    }

    /** How many bytes an image may have before it is encoded. */
    public int maxImageBytes() {
        return settings.provider().maxImageBytes();
    }

    /** How many pixels the longer side of an image should have at most. */
    public int maxImageSide() {
        return settings.provider().maxImageSide();
    }

    /**
     * Requests the next message and waits for all of it. An interrupt aborts the call; an exception
     * of the listener ends the call and is thrown.
     */
    public ModelReply ask(ChatHistory history, List<ToolDescription> tools, ReplyListener listener)
            throws ModelException, IOException, InterruptedException {
        ModelReplyCollector collector = new ModelReplyCollector(settings, listener);
        try {
            model.chat(request(history, tools), collector);
        } catch (RuntimeException e) {
            collector.onError(e);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("the call to the model was interrupted");
        }
        if (collector.listenerFailure().isPresent()) {
            throw collector.listenerFailure().get();
        }
        if (collector.error().isPresent()) {
            throw errors.translate(collector.error().get());
        }
        ModelReply reply =
                collector
                        .reply()
                        .orElseThrow(
                                () ->
                                        new ModelException(
                                                Code.MODEL_ERROR,
                                                "The model's stream ended before its answer did."));
        TokenUsage usage = reply.usage();
        if (usage != null) {
            listener.usage(usage);
        }
        return reply;
    }

    private ChatRequest request(ChatHistory history, List<ToolDescription> tools) {
        return ChatRequest.builder()
                .messages(
                        switch (settings.provider()) {
                            case ANTHROPIC -> LangChainMessages.messages(history);
                            case OPENAI -> LangChainMessages.messagesWithTextResults(history);
                        })
                .toolSpecifications(ToolSpecifications.specifications(tools))
                .build();
    }

    /**
     * Converts tool descriptions for LangChain4j; the schema of each property is passed unchanged.
     */
    static final class ToolSpecifications {
        private ToolSpecifications() {}

        static List<ToolSpecification> specifications(List<ToolDescription> tools) {
            return tools.stream().map(ToolSpecifications::specification).toList();
        }

        private static ToolSpecification specification(ToolDescription tool) {
            JsonObjectSchema.Builder schema = JsonObjectSchema.builder();
            JsonNode parameters = tool.parameters();
            parameters
                    .path("properties")
                    .properties()
                    .forEach(
                            property ->
                                    schema.addProperty(
                                            property.getKey(),
                                            JsonRawSchema.from(property.getValue().toString())));
            List<String> required =
                    parameters.path("required").values().stream().map(JsonNode::asString).toList();
            return ToolSpecification.builder()
                    .name(tool.name())
                    .description(tool.description())
                    .parameters(schema.required(required).build())
                    .build();
        }
    }
}
