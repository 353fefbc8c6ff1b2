package dev.satchel.client;

import dev.satchel.client.model.SearchHit;
import dev.satchel.client.model.SearchPage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Full-text search over the messages and files of the tenant. */
public final class Search {
    private static final int MAX_PAGE = 200;

    private final HttpCalls calls;

    Search(HttpCalls calls) {
        this.calls = calls;
    }

    /**
     * A page of hits, the newest first.
     *
     * @param in {@code messages}, {@code files} or both with a comma
     */
    public SearchPage page(String words, String in, int limit, @Nullable String cursor)
            throws IOException, InterruptedException {
        String query = "&q=" + HttpCalls.encoded(words) + "&in=" + HttpCalls.encoded(in);
        return calls.get("/api/search" + Chats.page(limit, cursor) + query, SearchPage.class);
    }

    /** The newest hits, of as many pages as they need. */
    public List<SearchHit> find(String words, String in, int limit)
            throws IOException, InterruptedException {
        List<SearchHit> hits = new ArrayList<>();
        String cursor = null;
        do {
            int wanted = Math.min(MAX_PAGE, limit - hits.size());
            SearchPage page = page(words, in, wanted, cursor);
            hits.addAll(page.hits());
            cursor = page.nextCursor();
        } while (cursor != null && hits.size() < limit);
        return hits;
    }
}
