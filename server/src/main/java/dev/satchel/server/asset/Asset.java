package dev.satchel.server.asset;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.bag.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;

/** A durable file of a tenant: it outlives the chat or run that it was saved from. */
public record Asset(AssetId id, TenantId tenant, StoredFile file, long createdAt) {
    static final String AREA = "assets";

    static ObjectKey key(TenantId tenant, AssetId id, String name) {
        return ObjectKey.of(AREA, tenant.value(), id.value(), name);
    }
}
