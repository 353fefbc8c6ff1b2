package dev.satchel.server.search;

import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.database.Database;

/** {@code GET /api/search}. */
public final class SearchRoutes {
    private final SearchService search;
    private final Authentication access;

    public SearchRoutes(Database database, Authentication access) {
        this.search = new SearchService(database);
        this.access = access;
    }

    public void addTo(Router router) {
        router.get("/api/search", access.requireCaller(Permission.SEARCH, this::search));
    }

    private void search(Exchange exchange, Caller caller) {
        exchange.json(200, search.search(SearchRequest.of(exchange, caller)));
    }
}
