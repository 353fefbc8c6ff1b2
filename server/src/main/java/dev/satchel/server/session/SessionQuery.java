package dev.satchel.server.session;

import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.server.workspace.SessionErrors;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The filter and the page of a list of sessions. */
record SessionQuery(@Nullable String agent, @Nullable String status, int limit, int offset) {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 1_000;
    private static final int MAX_NAME = 1_000;

    /** Clients may also ask for two statuses that no session here has. */
    private static final Set<String> STATUSES =
            Set.of("starting", "active", "paused", "stopped", "ended", "error");

    static SessionQuery of(Exchange exchange) {
        String status = exchange.query("status").orElse(null);
        if (status != null && !STATUSES.contains(status)) {
            throw SessionErrors.invalid("querystring/status is not a status of a session");
        }
        return new SessionQuery(
                exchange.query("agent")
                        .map(agent -> Fields.atMost("agent", agent, MAX_NAME))
                        .orElse(null),
                status,
                SessionRoutes.number(exchange, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT),
                SessionRoutes.number(exchange, "offset", 0, 0, Integer.MAX_VALUE));
    }
}
