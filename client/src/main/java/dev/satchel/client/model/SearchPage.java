package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some hits, the newest first; the cursor leads on, and is null on the last page. */
public record SearchPage(List<SearchHit> hits, @Nullable String nextCursor) {
    public SearchPage {
        hits = List.copyOf(hits);
    }
}
