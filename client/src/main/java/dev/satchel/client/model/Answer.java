package dev.satchel.client.model;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a person to an ask.
 *
 * @param decision {@code allow} or {@code deny}
 * @param text the answer to a question, or the reason of a decision
 * @param remember {@code run} or {@code chat} if the decision holds for later calls of the tool
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Answer(
        String askId, String decision, @Nullable String text, @Nullable String remember) {
    public static Answer allow(String ask) {
        return new Answer(ask, "allow", null, null);
    }

    public static Answer deny(String ask, @Nullable String reason) {
        return new Answer(ask, "deny", reason, null);
    }

    /** The answer to a question. */
    public static Answer text(String ask, String text) {
        return new Answer(ask, "allow", text, null);
    }

    /** The same decision, also for later calls of the tool in the chat. */
    public Answer forChat() {
        return new Answer(askId, decision, text, "chat");
    }
}
