package dev.satchel.server.deletion;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import dev.satchel.server.access.UserId;
import dev.satchel.server.database.Database;
import dev.satchel.server.deletion.ErasureReceiptStore.Receipt;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code GET /api/users/{id}/erasure}: what was erased of a removed person. */
public final class ErasureRoutes {
    private final Database database;
    private final Authentication access;
    private final ErasureReceiptStore receipts = new ErasureReceiptStore();

    public ErasureRoutes(Database database, Authentication access) {
        this.database = database;
        this.access = access;
    }

    public void addTo(Router router) {
        router.get(
                "/api/users/{id}/erasure",
                access.requireCaller(Permission.ADMINISTER, this::receipt));
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ReceiptView(
            String userId, long removedAt, @Nullable Long finishedAt, Map<String, Long> erased) {
        static ReceiptView of(Receipt receipt) {
            return new ReceiptView(
                    receipt.user().value(),
                    receipt.removed().toEpochMilli(),
                    receipt.finished().map(Instant::toEpochMilli).orElse(null),
                    receipt.counts());
        }
    }

    private void receipt(Exchange exchange, Caller caller) {
        Receipt receipt =
                Optional.of(exchange.pathParameter("id"))
                        .filter(UserId::isValid)
                        .flatMap(id -> find(caller, new UserId(id)))
                        .orElseThrow(
                                () ->
                                        new SatchelException(
                                                ErrorCode.NOT_FOUND, "no such removed person"));
        exchange.json(200, ReceiptView.of(receipt));
    }

    private Optional<Receipt> find(Caller caller, UserId user) {
        return database.read(tx -> receipts.find(tx, caller.tenant(), user));
    }
}
