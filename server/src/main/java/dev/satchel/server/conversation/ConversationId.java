package dev.satchel.server.conversation;

import java.util.UUID;
import java.util.regex.Pattern;

/** The id of a conversation, {@code chatId} in JSON: a UUID in lower case. */
public record ConversationId(String value) {
    private static final Pattern FORM =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    public ConversationId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("not a conversation id: " + value);
        }
    }

    public static ConversationId random() {
        return new ConversationId(UUID.randomUUID().toString());
    }

    public static boolean isValid(String value) {
        return FORM.matcher(value).matches();
    }
}
