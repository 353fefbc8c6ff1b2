package dev.satchel.server.asset;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A durable file of a tenant: it outlives the chat or run that it was saved from. */
public record Asset(AssetId id, TenantId tenant, StoredFile file, long createdAt) {
    static final String AREA = "assets";

    AuditEvent event(AuditEvent.Action action) {
        return new AuditEvent(
                tenant,
                null,
                action,
                id.value(),
                AuditEvent.Outcome.ALLOWED,
                Map.of("what", "asset"));
    }

    static ObjectKey key(TenantId tenant, AssetId id, String name) {
        return ObjectKey.of(AREA, tenant.value(), id.value(), name);
    }

    /** Whose bytes lie under a key; empty for one that is none of ours. */
    static Optional<AssetId> idOf(ObjectKey key) {
        List<String> segments = key.segments();
        return segments.size() == 4 && AssetId.isValid(segments.get(2))
                ? Optional.of(new AssetId(segments.get(2)))
                : Optional.empty();
    }
}
