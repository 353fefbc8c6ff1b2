package dev.satchel.server.asset;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A permanent file of a tenant. It stays when the chat or run that it came from is deleted. */
public record Asset(AssetId id, TenantId tenant, StoredFile file, long createdAt) {
    static final String AREA = "assets";

    AuditEvent event(AuditEvent.Action action) {
        return new AuditEvent(
                tenant,
                null,
                null,
                action,
                id.value(),
                AuditEvent.Outcome.ALLOWED,
                Map.of("what", "asset"));
    }

    static ObjectKey key(TenantId tenant, AssetId id, String name) {
        return ObjectKey.of(AREA, tenant.value(), id.value(), name);
    }

    /** The asset of a key; empty when the key is not one of an asset. */
    static Optional<AssetId> idOf(ObjectKey key) {
        List<String> segments = key.segments();
        return segments.size() == 4 && AssetId.isValid(segments.get(2))
                ? Optional.of(new AssetId(segments.get(2)))
                : Optional.empty();
    }
}
