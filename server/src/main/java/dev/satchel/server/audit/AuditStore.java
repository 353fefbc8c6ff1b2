package dev.satchel.server.audit;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Rows of the audit log. They are never changed, and deleted only when they are old. */
public final class AuditStore {
    private static final String INSERT =
            """
            INSERT INTO audit (id, at, tenant_id, user_id, credential, session_id, action, target, outcome, detail)
            VALUES (:id, :at, :tenant, :user, :credential, :session, :action, :target, :outcome, :detail)
            """;

    private static final String OF_SESSION =
            "SELECT * FROM audit WHERE session_id = :session ORDER BY at, id";

    private static final String OF_TENANT =
            "SELECT * FROM audit WHERE tenant_id = :tenant ORDER BY at, id";

    /** A page of a tenant after another row, oldest first. */
    private static final String PAGE =
            """
            SELECT * FROM audit
             WHERE tenant_id = :tenant AND at >= :from AND at < :to
               AND (at > :after OR (at = :after AND id > :id))
             ORDER BY at, id LIMIT :limit
            """;

    private static final String DROP =
            """
            DELETE FROM audit
             WHERE id IN (SELECT id FROM audit WHERE at < :before ORDER BY at, id LIMIT 1000)
            """;

    private static final TypeReference<Map<String, String>> DETAIL = new TypeReference<>() {};

    /** Must be called in the transaction of the change that it records. */
    public void add(Transaction tx, AuditEvent event, long now) {
        addAll(tx, List.of(event), now);
    }

    /** As {@link #add}, for many events at once. */
    public void addAll(Transaction tx, List<AuditEvent> events, long now) {
        PreparedBatch batch = tx.batch(INSERT);
        for (AuditEvent event : events) {
            TenantId tenant = event.tenant();
            AuditEvent.Actor actor = event.actor();
            batch.bind("id", newId())
                    .bind("at", now)
                    .bind("tenant", tenant == null ? null : tenant.value())
                    .bind("user", actor == null ? null : actor.user().value())
                    .bind("credential", actor == null ? null : actor.credential().value())
                    .bind("session", event.session())
                    .bind("action", word(event.action()))
                    .bind("target", event.target())
                    .bind("outcome", word(event.outcome()))
                    .bind("detail", Json.MAPPER.writeValueAsString(event.detail()))
                    .add();
        }
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    public List<AuditEvent> ofSession(Transaction tx, String session) {
        return tx.query(OF_SESSION).bind("session", session).map((row, _) -> event(row)).list();
    }

    public List<AuditEvent> ofTenant(Transaction tx, TenantId tenant) {
        return tx.query(OF_TENANT)
                .bind("tenant", tenant.value())
                .map((row, _) -> event(row))
                .list();
    }

    /** A page of the events of a time, after the place of another event. */
    List<AuditEntry> page(Transaction tx, TenantId tenant, AuditPage page) {
        return tx.query(PAGE)
                .bind("tenant", tenant.value())
                .bind("from", page.from())
                .bind("to", page.to())
                .bind("after", page.afterTime())
                .bind("id", page.afterId())
                .bind("limit", page.limit())
                .map((row, _) -> new AuditEntry(row.getString("id"), row.getLong("at"), event(row)))
                .list();
    }

    /** Deletes some of the rows from before a time, and returns their number. */
    public int dropBefore(Transaction tx, long before) {
        return tx.update(DROP).bind("before", before).execute();
    }

    private static AuditEvent event(ResultSet row) throws SQLException {
        String tenant = row.getString("tenant_id");
        return new AuditEvent(
                tenant == null ? null : new TenantId(tenant),
                actor(row),
                row.getString("session_id"),
                AuditEvent.Action.valueOf(row.getString("action").toUpperCase(Locale.ROOT)),
                row.getString("target"),
                AuditEvent.Outcome.valueOf(row.getString("outcome").toUpperCase(Locale.ROOT)),
                Json.MAPPER.readValue(row.getString("detail"), DETAIL));
    }

    private static AuditEvent.@Nullable Actor actor(ResultSet row) throws SQLException {
        String user = row.getString("user_id");
        return user == null
                ? null
                : new AuditEvent.Actor(
                        new UserId(user), new CallerCredential(row.getString("credential")));
    }

    /** Ids of one process sort in order of creation, also within a millisecond. */
    private static String newId() {
        return "%016x-%s".formatted(System.nanoTime(), UUID.randomUUID());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
