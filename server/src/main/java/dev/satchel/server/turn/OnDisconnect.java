package dev.satchel.server.turn;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.execution.Executions;
import dev.satchel.server.runlog.RunReaders;
import org.jspecify.annotations.Nullable;

/** What happens to a run when the client that started it closes the connection. */
public enum OnDisconnect {
    CANCEL,
    /** Cancels the run unless another client reads it; then the run continues to its end. */
    CANCEL_IF_UNREAD,
    CONTINUE;

    /** {@code cancel} or {@code continue}; the fallback when the client asks for neither. */
    public static OnDisconnect parse(@Nullable String given, OnDisconnect fallback) {
        return switch (given) {
            case null -> fallback;
            case "cancel" -> CANCEL;
            case "continue" -> CONTINUE;
            default -> throw Fields.invalid("onDisconnect", "must be cancel or continue");
        };
    }

    /** A client with an idempotency key can reconnect to the run, so its run continues. */
    public static OnDisconnect usual(boolean canReconnect) {
        return canReconnect ? CONTINUE : CANCEL_IF_UNREAD;
    }

    /** Applies to a run that the request has started. */
    public void apply(Executions executions, RunReaders readers, Exchange exchange, RunId run) {
        switch (this) {
            case CANCEL -> exchange.onDisconnect(() -> executions.clientDisconnected(run));
            case CANCEL_IF_UNREAD ->
                    exchange.onDisconnect(
                            () ->
                                    readers.ifLast(
                                            run,
                                            exchange,
                                            () -> executions.clientDisconnected(run)));
            case CONTINUE -> {}
        }
    }
}
