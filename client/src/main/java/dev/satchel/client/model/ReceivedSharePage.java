package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Chats that others share, newest first; the cursor leads to the next page. */
public record ReceivedSharePage(
        List<ReceivedShare> shares, @Nullable String nextCursor, JsonNode json)
        implements ServerObject {
    public ReceivedSharePage {
        shares = List.copyOf(shares);
    }
}
