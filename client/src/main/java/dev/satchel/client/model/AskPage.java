package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some asks, the newest first; the cursor leads on, and is null on the last page. */
public record AskPage(List<Ask> asks, @Nullable String nextCursor) {
    public AskPage {
        asks = List.copyOf(asks);
    }
}
