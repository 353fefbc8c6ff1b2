package dev.satchel.server.turn;

import dev.satchel.http.Fields;
import org.jspecify.annotations.Nullable;

/** What happens to a message that is sent while a turn of its chat is running. */
public enum WhenBusy {
    REJECT,
    /** It starts a turn of its own after the running one and all messages that wait already. */
    QUEUE,
    /** The running agent hears it before its next call of the model; else as {@link #QUEUE}. */
    STEER;

    static WhenBusy parse(@Nullable String given) {
        return switch (given) {
            case null -> REJECT;
            case "reject" -> REJECT;
            case "queue" -> QUEUE;
            case "steer" -> STEER;
            default -> throw Fields.invalid("whenBusy", "must be reject, queue or steer");
        };
    }
}
