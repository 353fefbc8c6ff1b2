package dev.satchel.server.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.database.Database;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /api/usage}: the tokens and the cost of a tenant's calls of models. */
public final class UsageRoutes {
    private static final int MAX_ROWS = 1_000;

    private final Database database;
    private final ModelUsageStore store;
    private final Authentication access;
    private final Clock clock;

    public UsageRoutes(
            Database database, ModelUsageStore store, Authentication access, Clock clock) {
        this.database = database;
        this.store = store;
        this.access = access;
        this.clock = clock;
    }

    public void addTo(Router router) {
        router.get("/api/usage", access.requireCaller(Permission.READ_USAGE, this::usage));
    }

    private void usage(Exchange exchange, Caller caller) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        UsageQuery query = UsageQuery.of(exchange, today);
        View view =
                database.read(
                        tx ->
                                new View(
                                        store.groups(tx, caller, query, MAX_ROWS).stream()
                                                .map(group -> Row.of(group, query.groupBy()))
                                                .toList(),
                                        store.total(tx, caller, query)));
        exchange.json(200, view);
    }

    /** The response; the total also counts what is beyond the largest number of rows. */
    record View(List<Row> rows, UsageSum total) {}

    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Row(@Nullable String key, @JsonUnwrapped UsageSum sum) {
        static Row of(ModelUsageStore.Group group, UsageQuery.GroupBy groupBy) {
            String key = group.key();
            return new Row(
                    key != null && groupBy == UsageQuery.GroupBy.DAY
                            ? LocalDate.ofEpochDay(Long.parseLong(key)).toString()
                            : key,
                    group.sum());
        }
    }
}
