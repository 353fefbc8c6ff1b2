package dev.satchel.runner.model;

import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.satchel.runner.model.ModelException.Code;
import dev.satchel.tools.ToolDescription;
import java.io.IOException;
import java.util.List;

/** One model at one endpoint. */
public final class Model {
    private final ModelSettings settings;
    private final StreamingChatModel model;
    private final ModelErrorTranslator failures;

    Model(ModelSettings settings, StreamingChatModel model) {
        this.settings = settings;
        this.model = model;
        this.failures = new ModelErrorTranslator(settings.apiKey());
    }

    public String name() {
        return settings.name();
    }

    public ModelProvider provider() {
        return settings.provider();
    }

    /**
     * Asks for the next thing to say and waits for all of it. An interrupt aborts the call; an
     * exception of the listener ends it and is thrown on.
     */
    public ModelReply ask(ChatHistory dialogue, List<ToolDescription> tools, TextListener listener)
            throws ModelException, IOException, InterruptedException {
        ModelReplyCollector collector = new ModelReplyCollector(listener);
        try {
            model.chat(request(dialogue, tools), collector);
        } catch (RuntimeException e) {
            collector.onError(e);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("the call to the model was interrupted");
        }
        if (collector.unheard().isPresent()) {
            throw collector.unheard().get();
        }
        if (collector.error().isPresent()) {
            throw failures.of(collector.error().get());
        }
        return collector
                .reply()
                .orElseThrow(
                        () ->
                                new ModelException(
                                        Code.MODEL_ERROR,
                                        "The model's stream ended before its answer did."));
    }

    private ChatRequest request(ChatHistory dialogue, List<ToolDescription> tools) {
        return ChatRequest.builder()
                .messages(
                        switch (settings.provider()) {
                            case ANTHROPIC -> dialogue.messages();
                            case OPENAI -> dialogue.messagesWithTextResults();
                        })
                .toolSpecifications(ToolSpecifications.specifications(tools))
                .build();
    }
}
