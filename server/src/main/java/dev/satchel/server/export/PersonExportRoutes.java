package dev.satchel.server.export;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.Scope;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.database.Database;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.List;
import java.util.Map;

/** {@code GET /api/users/{id}/export}: everything of the caller; others are unknown. */
public final class PersonExportRoutes {
    private final PersonExport export;
    private final Database database;
    private final Authentication access;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();

    public PersonExportRoutes(
            PersonExport export, Database database, Authentication access, Clock clock) {
        this.export = export;
        this.database = database;
        this.access = access;
        this.clock = clock;
    }

    public void addTo(Router router) {
        router.get("/api/users/{id}/export", access.requireCaller(Permission.ANY, this::export));
    }

    private void export(Exchange exchange, Caller caller) throws IOException {
        if (!caller.user().value().equals(exchange.pathParameter("id"))) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "no such person");
        }
        if (!caller.scopes().containsAll(List.of(Scope.values()))) {
            throw new SatchelException(
                    ErrorCode.FORBIDDEN, "an export has everything, so it needs all scopes");
        }
        exchange.header("Content-Disposition", "attachment; filename=\"satchel-export.zip\"")
                .header("Cache-Control", "no-store");
        if (exchange.isHead()) {
            exchange.stream(200, "application/zip").close();
            return;
        }
        database.change(
                tx ->
                        audit.add(
                                tx,
                                AuditEvent.by(
                                                caller,
                                                AuditEvent.Action.PERSON,
                                                caller.user().value())
                                        .with(Map.of("event", "exported")),
                                clock.millis()));
        OutputStream out = exchange.stream(200, "application/zip");
        export.write(caller, out);
        out.close(); // after a failure the response is not complete
    }
}
