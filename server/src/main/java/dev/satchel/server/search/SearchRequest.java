package dev.satchel.server.search;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.paging.PageCursor;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Caller;
import java.util.List;
import java.util.Set;

/** What a caller searches, and where. */
record SearchRequest(
        Caller caller,
        SearchQuery query,
        boolean inMessages,
        boolean inFiles,
        SearchPosition after,
        int limit) {
    private static final String MESSAGES = "messages";
    private static final String FILES = "files";

    static SearchRequest of(Exchange exchange, Caller caller) {
        SearchQuery query = SearchQuery.parse("q", exchange.query("q").orElse(""));
        Set<String> places =
                Set.copyOf(List.of(exchange.query("in").orElse("messages,files").split(",", -1)));
        if (!Set.of(MESSAGES, FILES).containsAll(places)) {
            throw Fields.invalid("in", "must be messages, files or both with a comma");
        }
        PageRequest page = PageRequest.of(exchange);
        PageCursor cursor = page.from();
        return new SearchRequest(
                caller,
                query,
                places.contains(MESSAGES),
                places.contains(FILES),
                SearchPosition.of(cursor),
                page.limit());
    }
}
