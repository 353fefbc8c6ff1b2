package dev.satchel.runner.model;

import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;

/**
 * Ends a stream at its first invalid event. The parser of LangChain4j skips an invalid event, so a
 * piece of the answer would be missing without an error.
 */
final class StrictEventListener implements ServerSentEventListener {
    private final ServerSentEventListener listener;
    private boolean failed;

    StrictEventListener(ServerSentEventListener listener) {
        this.listener = listener;
    }

    @Override
    public void onOpen(SuccessfulHttpResponse response) {
        listener.onOpen(response);
    }

    @Override
    public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
        if (failed) {
            return;
        }
        try {
            listener.onEvent(event, context);
        } catch (RuntimeException e) {
            context.parsingHandle().cancel();
            onError(e);
        }
    }

    @Override
    public void onError(Throwable error) {
        if (!failed) {
            failed = true;
            listener.onError(error);
        }
    }

    @Override
    public void onClose() {
        if (!failed) {
            listener.onClose();
        }
    }
}
