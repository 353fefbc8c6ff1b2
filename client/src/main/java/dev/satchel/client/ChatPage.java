package dev.satchel.client;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Some chats, the newest first; the cursor leads on, and is null on the last page. */
public record ChatPage(List<Chat> chats, @Nullable String nextCursor) {
    public ChatPage {
        chats = List.copyOf(chats);
    }
}
