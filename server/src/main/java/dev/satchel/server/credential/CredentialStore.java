package dev.satchel.server.credential;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/** Rows of credentials. The row of a deleted one is gone. */
public final class CredentialStore {
    private static final String OWN = " WHERE tenant_id = :tenant AND name = :name";

    private static final String INSERT =
            """
            INSERT INTO credential (tenant_id, name, kind, key_id, sealed, expires_at, connected_at,
                                    problem, created_at, updated_at)
            VALUES (:tenant, :name, :kind, :key, :sealed, :expires, :connected, :problem, :created, :updated)
            ON CONFLICT (tenant_id, name) DO NOTHING
            """;

    private static final String UPDATE =
            """
            UPDATE credential
               SET kind = :kind, key_id = :key, sealed = :sealed, expires_at = :expires,
                   connected_at = :connected, problem = :problem, updated_at = :updated, renewed_until = 0
            """
                    + OWN;

    /** The row is as it was read, so that a change in between is not undone. */
    private static final String SEEN = " AND sealed = :old";

    private static final String UPDATE_SEEN = UPDATE + SEEN;

    private static final String RESEAL =
            "UPDATE credential SET key_id = :key, sealed = :sealed" + OWN + SEEN;

    /** One of all servers renews a token, and only the one that it has read. */
    private static final String CLAIM_RENEWAL =
            "UPDATE credential SET renewed_until = :until"
                    + OWN
                    + SEEN
                    + " AND renewed_until < :now";

    private static final String RELEASE_RENEWAL =
            "UPDATE credential SET renewed_until = 0" + OWN + SEEN;

    /** Only the newest login can be finished. */
    private static final String BEGIN_LOGIN = "UPDATE credential SET login = :login" + OWN;

    private static final String FIND_LOGIN =
            "SELECT login FROM credential" + OWN + " AND login IS NOT NULL";

    private static final String USE_LOGIN =
            "UPDATE credential SET login = NULL" + OWN + " AND login = :login";

    private static final String DELETE = "DELETE FROM credential" + OWN;

    private static final String LIST =
            "SELECT * FROM credential WHERE tenant_id = :tenant ORDER BY name";

    private static final String FIND = "SELECT * FROM credential" + OWN;

    private static final String SEALED_OTHERWISE =
            "SELECT * FROM credential WHERE key_id <> :key ORDER BY tenant_id, name LIMIT 1000";

    /** Whether the name was free. */
    boolean insert(Transaction tx, StoredCredential credential) {
        return bind(tx.update(INSERT), credential).bind("created", credential.createdAt()).execute()
                == 1;
    }

    boolean update(Transaction tx, StoredCredential credential) {
        return bind(tx.update(UPDATE), credential).execute() == 1;
    }

    /** Only while the row is as it was read. */
    boolean update(Transaction tx, StoredCredential before, StoredCredential after) {
        return bind(tx.update(UPDATE_SEEN), after).bind("old", before.sealed().text()).execute()
                == 1;
    }

    boolean reseal(Transaction tx, StoredCredential old, SealingKeys.Sealed sealed) {
        return bindSeen(tx.update(RESEAL), old)
                        .bind("key", sealed.keyId())
                        .bind("sealed", sealed.text())
                        .execute()
                == 1;
    }

    boolean claimRenewal(Transaction tx, StoredCredential credential, long now, long until) {
        return bindSeen(tx.update(CLAIM_RENEWAL), credential)
                        .bind("now", now)
                        .bind("until", until)
                        .execute()
                == 1;
    }

    void releaseRenewal(Transaction tx, StoredCredential credential) {
        bindSeen(tx.update(RELEASE_RENEWAL), credential).execute();
    }

    void beginLogin(Transaction tx, StoredCredential credential, String login) {
        bindLogin(tx.update(BEGIN_LOGIN), credential, login).execute();
    }

    /** The newest login that is not finished. */
    Optional<String> findLogin(Transaction tx, StoredCredential credential) {
        return tx.query(FIND_LOGIN)
                .bind("tenant", credential.tenant().value())
                .bind("name", credential.name().value())
                .mapTo(String.class)
                .findOne();
    }

    /** Whether it is still the newest one and was not used yet. */
    boolean useLogin(Transaction tx, StoredCredential credential, String login) {
        return bindLogin(tx.update(USE_LOGIN), credential, login).execute() == 1;
    }

    private static Update bindLogin(Update update, StoredCredential credential, String login) {
        return update.bind("tenant", credential.tenant().value())
                .bind("name", credential.name().value())
                .bind("login", login);
    }

    private static Update bindSeen(Update update, StoredCredential seen) {
        return update.bind("tenant", seen.tenant().value())
                .bind("name", seen.name().value())
                .bind("old", seen.sealed().text());
    }

    boolean delete(Transaction tx, TenantId tenant, CredentialName name) {
        return tx.update(DELETE).bind("tenant", tenant.value()).bind("name", name.value()).execute()
                == 1;
    }

    List<StoredCredential> list(Transaction tx, TenantId tenant) {
        return tx.query(LIST)
                .bind("tenant", tenant.value())
                .map((row, _) -> credential(row))
                .list();
    }

    Optional<StoredCredential> find(Transaction tx, TenantId tenant, CredentialName name) {
        return tx.query(FIND)
                .bind("tenant", tenant.value())
                .bind("name", name.value())
                .map((row, _) -> credential(row))
                .findOne();
    }

    /** Up to 1,000 credentials that were sealed with another key. */
    List<StoredCredential> sealedOtherwise(Transaction tx, String keyId) {
        return tx.query(SEALED_OTHERWISE)
                .bind("key", keyId)
                .map((row, _) -> credential(row))
                .list();
    }

    private static Update bind(Update update, StoredCredential credential) {
        return update.bind("tenant", credential.tenant().value())
                .bind("name", credential.name().value())
                .bind("kind", credential.kind().name().toLowerCase(Locale.ROOT))
                .bind("key", credential.sealed().keyId())
                .bind("sealed", credential.sealed().text())
                .bind("expires", credential.expiresAt())
                .bind("connected", credential.connectedAt())
                .bind("problem", credential.problem())
                .bind("updated", credential.updatedAt());
    }

    private static StoredCredential credential(ResultSet row) throws SQLException {
        String kind = row.getString("kind").toUpperCase(Locale.ROOT);
        return new StoredCredential(
                new TenantId(row.getString("tenant_id")),
                new CredentialName(row.getString("name")),
                StoredCredential.Kind.valueOf(kind),
                new SealingKeys.Sealed(row.getString("key_id"), row.getString("sealed")),
                number(row, "expires_at"),
                number(row, "connected_at"),
                row.getString("problem"),
                row.getLong("created_at"),
                row.getLong("updated_at"));
    }

    private static @Nullable Long number(ResultSet row, String column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : number;
    }
}
