package dev.satchel.server.turn;

import dev.satchel.http.Fields;
import org.jspecify.annotations.Nullable;

/** What happens to a run when the client that started it closes the connection. */
public enum OnDisconnect {
    CANCEL,
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
        return canReconnect ? CONTINUE : CANCEL;
    }
}
