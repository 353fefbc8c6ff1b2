package dev.satchel.server.conversation;

import dev.satchel.http.Fields;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Where a page of conversations begins: after this one, newest first. Opaque to clients. */
public record ConversationCursor(long updatedAt, String id) {
    public static final ConversationCursor START = new ConversationCursor(Long.MAX_VALUE, "");

    public static ConversationCursor after(Conversation last) {
        return new ConversationCursor(last.updatedAt(), last.id().value());
    }

    public static ConversationCursor parse(String text) {
        try {
            String plain =
                    new String(Base64.getUrlDecoder().decode(text), StandardCharsets.US_ASCII);
            int colon = plain.indexOf(':');
            return new ConversationCursor(
                    Long.parseLong(plain.substring(0, colon)), plain.substring(colon + 1));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw Fields.invalid("cursor", "is not one of ours");
        }
    }

    public String text() {
        String plain = updatedAt + ":" + id;
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(plain.getBytes(StandardCharsets.US_ASCII));
    }
}
