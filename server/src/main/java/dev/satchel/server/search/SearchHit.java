package dev.satchel.server.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.paging.PageCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A hit in a response. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SearchHit(
        String kind,
        @Nullable String chatId,
        @Nullable String messageId,
        @Nullable String fileId,
        String name,
        @Nullable String role,
        @Nullable Long seq,
        @Nullable Integer page,
        String snippet,
        List<SearchSnippet.Match> matches,
        long at) {

    /** The hits of a request, and where the next ones begin. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Page(List<SearchHit> hits, @Nullable String nextCursor) {
        static Page of(List<SearchHit> hits, @Nullable PageCursor next) {
            return new Page(List.copyOf(hits), next == null ? null : next.text());
        }
    }

    static SearchHit of(FoundEntry entry, SearchQuery query) {
        IndexedItem item = entry.item();
        SearchSnippet snippet = SearchSnippet.of(entry.text(), query);
        return new SearchHit(
                item.kind().wireName(),
                item.conversation(),
                item.kind() == IndexedItem.Kind.MESSAGE ? item.id() : null,
                item.kind().isFile() ? item.id() : null,
                entry.name(),
                entry.role(),
                entry.seq(),
                entry.page(),
                snippet.text(),
                snippet.matches(),
                entry.at());
    }
}
