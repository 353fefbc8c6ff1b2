package dev.satchel.server.access;

import dev.satchel.server.database.Transaction;
import java.time.Instant;

/** Rows of the people of tenants. */
public final class UserStore {
    private static final String ADD_FIRST_OWNER =
            """
            INSERT INTO app_user (tenant_id, id, name, role, created_at)
            VALUES (:tenant, :id, 'Owner', 'owner', :now)
            ON CONFLICT (tenant_id, id) DO NOTHING
            """;

    /** Every tenant has one; does nothing when it exists, or has existed. */
    void ensureFirstOwner(Transaction tx, TenantId tenant, Instant now) {
        tx.update(ADD_FIRST_OWNER)
                .bind("tenant", tenant.value())
                .bind("id", UserId.FIRST_OWNER.value())
                .bind("now", now.toEpochMilli())
                .execute();
    }
}
