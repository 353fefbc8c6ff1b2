package dev.satchel.server.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Exchange;
import dev.satchel.http.Fields;
import dev.satchel.http.Router;
import dev.satchel.http.paging.PageCursor;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.database.Database;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code GET /api/audit}: what the people of a tenant did, as pages or all as NDJSON. */
public final class AuditRoutes {
    private static final int PAGE = 200;
    private static final int DEFAULT_DAYS = 30;
    private static final String LINES = "application/x-ndjson";

    private final Database database;
    private final AuditStore store;
    private final Authentication access;
    private final Clock clock;

    public AuditRoutes(Database database, AuditStore store, Authentication access, Clock clock) {
        this.database = database;
        this.store = store;
        this.access = access;
        this.clock = clock;
    }

    public void addTo(Router router) {
        router.get("/api/audit", access.requireCaller(Permission.ADMINISTER, this::read));
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record View(
            String id,
            long at,
            String action,
            String target,
            String outcome,
            @Nullable String userId,
            @Nullable String credential,
            @Nullable String sessionId,
            Map<String, String> detail) {
        static View of(AuditEntry entry) {
            AuditEvent event = entry.event();
            AuditEvent.Actor actor = event.actor();
            return new View(
                    entry.id(),
                    entry.at(),
                    event.action().name().toLowerCase(Locale.ROOT),
                    event.target(),
                    event.outcome().name().toLowerCase(Locale.ROOT),
                    actor == null ? null : actor.user().value(),
                    actor == null ? null : actor.credential().value(),
                    event.session(),
                    event.detail());
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Page(List<View> events, @Nullable String nextCursor) {}

    private void read(Exchange exchange, Caller caller) throws IOException {
        AuditPage page = page(exchange);
        if (exchange.header("Accept").orElse("").contains(LINES)) {
            exportAll(exchange, caller, page);
            return;
        }
        List<AuditEntry> entries = find(caller, page);
        AuditEntry last = entries.size() < PAGE ? null : entries.getLast();
        exchange.json(
                200,
                new Page(
                        entries.stream().map(View::of).toList(),
                        last == null ? null : new PageCursor(last.at(), last.id()).text()));
    }

    /** One event on a line, page by page, so that a long log needs no memory. */
    private void exportAll(Exchange exchange, Caller caller, AuditPage first) throws IOException {
        exchange.header("Content-Disposition", "attachment; filename=\"audit.ndjson\"");
        try (OutputStream out = exchange.stream(200, LINES)) {
            List<AuditEntry> entries = find(caller, first);
            while (!entries.isEmpty()) {
                for (AuditEntry entry : entries) {
                    String line = Json.MAPPER.writeValueAsString(View.of(entry)) + "\n";
                    out.write(line.getBytes(StandardCharsets.UTF_8));
                }
                AuditPage next = first.after(entries.getLast());
                entries = entries.size() < PAGE ? List.of() : find(caller, next);
            }
        }
    }

    private List<AuditEntry> find(Caller caller, AuditPage page) {
        return database.read(tx -> store.page(tx, caller.tenant(), page));
    }

    private AuditPage page(Exchange exchange) {
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        LocalDate from = day(exchange, "from", today.minusDays(DEFAULT_DAYS));
        LocalDate to = day(exchange, "to", today).plusDays(1);
        AuditPage first = AuditPage.first(start(from), start(to), PAGE);
        return exchange.query("cursor")
                .map(PageCursor::parse)
                .map(it -> new AuditPage(first.from(), first.to(), it.time(), it.id(), PAGE))
                .orElse(first);
    }

    private static LocalDate day(Exchange exchange, String name, LocalDate otherwise) {
        try {
            return exchange.query(name).map(LocalDate::parse).orElse(otherwise);
        } catch (DateTimeParseException e) {
            throw Fields.invalid(name, "is not a day such as 2026-01-31");
        }
    }

    private static long start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }
}
