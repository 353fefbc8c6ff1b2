package dev.satchel.server.access;

import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of the people of tenants. */
public final class UserStore {
    /** A store that has something about a person which belongs to no conversation of theirs. */
    public interface PersonData {
        /** Deletes it, or what names the person; returns how many rows were changed. */
        int erasePerson(Transaction tx, TenantId tenant, UserId user);
    }

    private static final String ADD_FIRST_OWNER =
            """
            INSERT INTO app_user (tenant_id, id, name, role, created_at)
            VALUES (:tenant, :id, 'Owner', 'owner', :now)
            ON CONFLICT (tenant_id, id) DO NOTHING
            """;

    /** Does nothing when somebody of the tenant has the address. */
    private static final String ADD =
            """
            INSERT INTO app_user (tenant_id, id, name, email, email_key, role, created_at)
            VALUES (:tenant, :id, :name, :email, :emailKey, :role, :now)
            ON CONFLICT DO NOTHING
            """;

    private static final String PRESENT =
            "SELECT * FROM app_user WHERE tenant_id = :tenant AND removed_at IS NULL";

    private static final String LIST = PRESENT + " ORDER BY created_at, id";

    private static final String FIND = PRESENT + " AND id = :id";

    private static final String FIND_BY_EMAIL = PRESENT + " AND email_key = :emailKey";

    private static final String UPDATE =
            """
            UPDATE app_user SET name = :name, email = :email, email_key = :emailKey, role = :role
             WHERE tenant_id = :tenant AND id = :id AND removed_at IS NULL
            """;

    private static final String SIGNED_IN =
            """
            UPDATE app_user SET signed_in_at = :now
             WHERE tenant_id = :tenant AND id = :id AND signed_in_at IS NULL
            """;

    /** Who has signed in before, or has a key. */
    private static final String HAS_ACCESS =
            """
            SELECT COUNT(*) FROM app_user u
             WHERE u.tenant_id = :tenant AND u.id = :id
               AND (u.signed_in_at IS NOT NULL
                    OR EXISTS (SELECT 1 FROM api_key k WHERE k.tenant_id = u.tenant_id AND k.user_id = u.id))
            """;

    private static final String SET_RESET =
            """
            UPDATE app_user SET reset_at = :now, reset_by = :by
             WHERE tenant_id = :tenant AND id = :id
            """;

    private static final String FIND_RESET =
            """
            SELECT p.reset_at, p.reset_by, o.name FROM app_user p
              LEFT JOIN app_user o ON o.tenant_id = p.tenant_id AND o.id = p.reset_by
             WHERE p.tenant_id = :tenant AND p.id = :id AND p.reset_at > :since
            """;

    private static final String REMOVE =
            """
            UPDATE app_user SET removed_at = :now, name = '', email = NULL, email_key = NULL
             WHERE tenant_id = :tenant AND id = :id AND removed_at IS NULL
            """;

    /** That an owner made a link which signs in as a person who had signed in before. */
    public record AccessReset(Instant at, UserId by, @Nullable String byName) {}

    /** Every tenant has one; does nothing when it exists, or has existed. */
    void ensureFirstOwner(Transaction tx, TenantId tenant, Instant now) {
        tx.update(ADD_FIRST_OWNER)
                .bind("tenant", tenant.value())
                .bind("id", UserId.FIRST_OWNER.value())
                .bind("now", now.toEpochMilli())
                .execute();
    }

    /** False when somebody of the tenant has the address of the person. */
    public boolean add(Transaction tx, User user) {
        return tx.update(ADD)
                        .bind("tenant", user.tenant().value())
                        .bind("id", user.id().value())
                        .bind("name", user.name())
                        .bind("email", user.email())
                        .bind("emailKey", emailKey(user.email()))
                        .bind("role", user.role().word())
                        .bind("now", user.createdAt().toEpochMilli())
                        .execute()
                == 1;
    }

    public List<User> list(Transaction tx, TenantId tenant) {
        return tx.query(LIST).bind("tenant", tenant.value()).map((row, _) -> user(row)).list();
    }

    public Optional<User> find(Transaction tx, TenantId tenant, UserId id) {
        return tx.query(FIND)
                .bind("tenant", tenant.value())
                .bind("id", id.value())
                .map((row, _) -> user(row))
                .findOne();
    }

    public Optional<User> findByEmail(Transaction tx, TenantId tenant, String email) {
        return tx.query(FIND_BY_EMAIL)
                .bind("tenant", tenant.value())
                .bind("emailKey", emailKey(email))
                .map((row, _) -> user(row))
                .findOne();
    }

    /** Stores the name, the address and the role of a person; the address must be free. */
    public void update(Transaction tx, User user) {
        tx.update(UPDATE)
                .bind("tenant", user.tenant().value())
                .bind("id", user.id().value())
                .bind("name", user.name())
                .bind("email", user.email())
                .bind("emailKey", emailKey(user.email()))
                .bind("role", user.role().word())
                .execute();
    }

    void signedIn(Transaction tx, TenantId tenant, UserId id, Instant now) {
        tx.update(SIGNED_IN)
                .bind("tenant", tenant.value())
                .bind("id", id.value())
                .bind("now", now.toEpochMilli())
                .execute();
    }

    /** Whether a person has signed in, or has a key: what is theirs may be private. */
    public boolean hasAccess(Transaction tx, User user) {
        return tx.query(HAS_ACCESS)
                        .bind("tenant", user.tenant().value())
                        .bind("id", user.id().value())
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    /** Stores that an owner resets the access of a person, who is told. */
    public void setReset(Transaction tx, User user, UserId by, Instant now) {
        tx.update(SET_RESET)
                .bind("tenant", user.tenant().value())
                .bind("id", user.id().value())
                .bind("by", by.value())
                .bind("now", now.toEpochMilli())
                .execute();
    }

    public Optional<AccessReset> findReset(
            Transaction tx, TenantId tenant, UserId id, Instant since) {
        return tx.query(FIND_RESET)
                .bind("tenant", tenant.value())
                .bind("id", id.value())
                .bind("since", since.toEpochMilli())
                .map(
                        (row, _) ->
                                new AccessReset(
                                        Instant.ofEpochMilli(row.getLong("reset_at")),
                                        new UserId(row.getString("reset_by")),
                                        row.getString("name")))
                .findOne();
    }

    /** The person cannot sign in any more; the address is free again. */
    public void remove(Transaction tx, TenantId tenant, UserId id, Instant now) {
        tx.update(REMOVE)
                .bind("tenant", tenant.value())
                .bind("id", id.value())
                .bind("now", now.toEpochMilli())
                .execute();
    }

    /** Addresses are equal without regard to case. */
    private static @Nullable String emailKey(@Nullable String email) {
        return email == null ? null : email.strip().toLowerCase(Locale.ROOT);
    }

    private static User user(ResultSet row) throws SQLException {
        return new User(
                new TenantId(row.getString("tenant_id")),
                new UserId(row.getString("id")),
                row.getString("name"),
                row.getString("email"),
                UserRole.ofWord(row.getString("role")),
                Instant.ofEpochMilli(row.getLong("created_at")));
    }
}
