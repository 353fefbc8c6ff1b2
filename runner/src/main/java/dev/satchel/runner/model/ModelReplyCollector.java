package dev.satchel.runner.model;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects one streamed reply. Only the first error counts. */
final class ModelReplyCollector implements StreamingChatResponseHandler {
    private final ModelSettings settings;
    private final ReplyListener listener;
    private @Nullable ChatResponse response;
    private @Nullable Throwable error;
    private @Nullable IOException listenerFailure;

    ModelReplyCollector(ModelSettings settings, ReplyListener listener) {
        this.settings = settings;
        this.listener = listener;
    }

    @Override
    public void onPartialResponse(PartialResponse partial, PartialResponseContext context) {
        if (error != null || listenerFailure != null) {
            context.streamingHandle().cancel();
            return;
        }
        try {
            listener.text(partial.text());
        } catch (IOException e) { // LangChain4j would only log it
            listenerFailure = e;
            context.streamingHandle().cancel();
        }
    }

    @Override
    public void onCompleteResponse(ChatResponse complete) {
        response = complete;
    }

    @Override
    public void onError(Throwable cause) {
        if (error == null) {
            error = cause;
        }
    }

    /** The exception of the listener, if it threw one. */
    Optional<IOException> listenerFailure() {
        return Optional.ofNullable(listenerFailure);
    }

    Optional<Throwable> error() {
        return Optional.ofNullable(error);
    }

    /** Empty when the stream ended too early. */
    Optional<ModelReply> reply() {
        if (response == null || response.finishReason() == null) {
            return Optional.empty();
        }
        AiMessage message = response.aiMessage();
        List<ModelReply.Call> calls =
                message.toolExecutionRequests().stream()
                        .map(r -> new ModelReply.Call(r.id(), r.name(), r.arguments()))
                        .toList();
        String text = message.text() == null ? "" : message.text();
        return Optional.of(
                new ModelReply(
                        text,
                        calls,
                        response.finishReason() == FinishReason.LENGTH,
                        usage(response),
                        null));
    }

    private @Nullable TokenUsage usage(ChatResponse complete) {
        var counted = complete.tokenUsage();
        if (counted == null
                || counted.inputTokenCount() == null
                || counted.outputTokenCount() == null) {
            return null;
        }
        return new TokenUsage(
                settings.displayName(),
                settings.provider().wireName(),
                counted.inputTokenCount(),
                counted.outputTokenCount(),
                0,
                0);
    }
}
