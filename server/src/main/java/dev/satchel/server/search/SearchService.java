package dev.satchel.server.search;

import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds messages, chats and files of a tenant, the newest first. May be shared. */
final class SearchService {
    /** A file has an entry for each page, so there can be many entries of one hit. */
    private static final int MAX_ROUNDS = 8;

    private final Database database;
    private final SearchReadStore store;

    SearchService(Database database) {
        this.database = database;
        this.store = new SearchReadStore(database.dialect());
    }

    SearchHit.Page search(SearchRequest request) {
        if (request.query().isEmpty()) {
            return SearchHit.Page.of(List.of(), null);
        }
        Found found = database.read(tx -> collect(tx, request));
        List<SearchHit> hits =
                found.entries().values().stream()
                        .map(entry -> SearchHit.of(entry, request.query()))
                        .toList();
        SearchPosition next = found.next();
        return SearchHit.Page.of(hits, next == null ? null : next.cursor());
    }

    /** The first entry of each item, and where the next page begins. */
    private record Found(Map<IndexedItem, FoundEntry> entries, @Nullable SearchPosition next) {}

    private Found collect(Transaction tx, SearchRequest request) {
        Set<IndexedItem> seen = new HashSet<>();
        if (!request.after().equals(SearchPosition.START)) {
            store.item(tx, request.after()).ifPresent(seen::add); // the last one of the page before
        }
        Map<IndexedItem, FoundEntry> hits = new LinkedHashMap<>();
        SearchPosition at = request.after();
        int batch = request.limit() + 1;
        for (int round = 0; round < MAX_ROUNDS; round++) {
            List<FoundEntry> entries = store.find(tx, request, at, batch);
            for (FoundEntry entry : entries) {
                if (hits.size() == request.limit() && !hits.containsKey(entry.item())) {
                    return new Found(hits, at);
                }
                at = entry.position();
                if (seen.add(entry.item())) {
                    hits.put(entry.item(), entry);
                }
            }
            if (entries.size() < batch) {
                return new Found(hits, null);
            }
        }
        return new Found(hits, at);
    }
}
