package dev.satchel.server.user;

import dev.satchel.server.access.ApiKey;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** API keys as people manage them, with one row in the audit log for each change. */
final class KeyService {
    private final Database database;
    private final ApiKeys keys;
    private final AuditStore audit;
    private final Clock clock;

    KeyService(Database database, ApiKeys keys, AuditStore audit, Clock clock) {
        this.database = database;
        this.keys = keys;
        this.audit = audit;
        this.clock = clock;
    }

    Instant now() {
        return clock.instant();
    }

    List<ApiKey> list(Caller caller) {
        return keys.list(caller);
    }

    /** A key of the caller, or of the first owner of another tenant. */
    ApiKeys.NewKey create(Caller caller, TenantId tenant, ApiKeys.KeySettings settings) {
        return database.write(
                tx -> {
                    ApiKeys.NewKey created = keys.create(tx, caller, tenant, settings);
                    record(tx, caller, created.key(), "created");
                    return created;
                });
    }

    /** Ends a key and what came of it, with one row in the audit log for each key. */
    void revoke(Caller caller, String id, ApiKeys.Revocation how) {
        database.change(
                tx ->
                        keys.revoke(tx, caller, id, how)
                                .forEach(ended -> record(tx, caller, ended, "revoked")));
    }

    private void record(Transaction tx, Caller caller, ApiKey key, String event) {
        audit.add(
                tx,
                AuditEvent.by(caller, AuditEvent.Action.KEY, key.id())
                        .with(
                                Map.of(
                                        "event",
                                        event,
                                        "name",
                                        key.name(),
                                        "tenant",
                                        key.tenant().value())),
                clock.millis());
    }
}
