package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some chats, the newest first; the cursor leads on, and is null on the last page. */
public record ChatPage(List<Chat> chats, @Nullable String nextCursor) {
    public ChatPage {
        chats = List.copyOf(chats);
    }
}
