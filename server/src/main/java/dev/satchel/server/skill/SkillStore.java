package dev.satchel.server.skill;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;

/**
 * Rows of skills, one for each version. Deleting hides them; when the bytes are deleted the rows
 * stay, so that a number of a version is never given twice.
 */
public final class SkillStore {
    private static final String OWN = " FROM skill WHERE tenant_id = :tenant AND name = :name";

    private static final String LIVE = " AND deleted_at IS NULL";

    private static final String INSERT =
            """
            INSERT INTO skill (id, tenant_id, name, version, description, entries, files, bytes, size, sha256, created_at)
            VALUES (:id, :tenant, :name, :version, :description, :entries, :files, :bytes, :size, :sha256, :now)
            """;

    private static final String LAST_VERSION = "SELECT COALESCE(MAX(version), 0)" + OWN;

    private static final String LIST =
            """
            SELECT * FROM skill s
             WHERE tenant_id = :tenant AND deleted_at IS NULL
               AND version = (SELECT MAX(version) FROM skill n
                               WHERE n.tenant_id = s.tenant_id AND n.name = s.name AND n.deleted_at IS NULL)
             ORDER BY name
            """;

    private static final String NEWEST = "SELECT *" + OWN + LIVE + " ORDER BY version DESC LIMIT 1";

    private static final String FIND = "SELECT *" + OWN + LIVE + " AND version = :version";

    private static final String VERSIONS =
            "SELECT *" + OWN + LIVE + " AND version < :before ORDER BY version DESC LIMIT :limit";

    private static final String HIDE =
            """
            UPDATE skill SET deleted_at = :now
             WHERE tenant_id = :tenant AND name = :name AND deleted_at IS NULL
            """;

    private static final String HIDDEN =
            """
            SELECT * FROM skill
             WHERE deleted_at IS NOT NULL AND deleted_at <= :before AND removed_at IS NULL AND id > :after
             ORDER BY id LIMIT 1000
            """;

    private static final String REMOVED =
            "UPDATE skill SET removed_at = :now, size = 0 WHERE id = :id AND removed_at IS NULL";

    private static final String HAS_BYTES =
            "SELECT COUNT(*) FROM skill WHERE id = :id AND removed_at IS NULL";

    private static final TypeReference<List<SkillContent.File>> ENTRIES = new TypeReference<>() {};

    void insert(Transaction tx, TenantId tenant, Skill skill) {
        SkillReference reference = skill.reference();
        tx.update(INSERT)
                .bind("id", reference.id())
                .bind("tenant", tenant.value())
                .bind("name", reference.name())
                .bind("version", reference.version())
                .bind("description", reference.description())
                .bind("entries", Json.MAPPER.writeValueAsString(skill.entries()))
                .bind("files", reference.files())
                .bind("bytes", reference.bytes())
                .bind("size", skill.size())
                .bind("sha256", reference.sha256())
                .bind("now", skill.createdAt())
                .execute();
    }

    /** The highest number that a version of this name ever had; 0 for none. */
    long lastVersion(Transaction tx, TenantId tenant, SkillName name) {
        return tx.query(LAST_VERSION)
                .bind("tenant", tenant.value())
                .bind("name", name.value())
                .mapTo(Long.class)
                .one();
    }

    /** The newest version of each skill, by name. */
    List<Skill> list(Transaction tx, TenantId tenant) {
        return tx.query(LIST).bind("tenant", tenant.value()).map((row, _) -> skill(row)).list();
    }

    Optional<Skill> newest(Transaction tx, TenantId tenant, SkillName name) {
        return tx.query(NEWEST)
                .bind("tenant", tenant.value())
                .bind("name", name.value())
                .map((row, _) -> skill(row))
                .findOne();
    }

    Optional<Skill> find(Transaction tx, TenantId tenant, SkillName name, long version) {
        return tx.query(FIND)
                .bind("tenant", tenant.value())
                .bind("name", name.value())
                .bind("version", version)
                .map((row, _) -> skill(row))
                .findOne();
    }

    /** Versions below a number, the newest first. */
    List<Skill> versions(Transaction tx, TenantId tenant, SkillName name, long before, int limit) {
        return tx.query(VERSIONS)
                .bind("tenant", tenant.value())
                .bind("name", name.value())
                .bind("before", before)
                .bind("limit", limit)
                .map((row, _) -> skill(row))
                .list();
    }

    boolean hide(Transaction tx, TenantId tenant, SkillName name, long now) {
        return tx.update(HIDE)
                        .bind("tenant", tenant.value())
                        .bind("name", name.value())
                        .bind("now", now)
                        .execute()
                > 0;
    }

    /** A page of versions after an id that were deleted by then and whose bytes exist. */
    List<Skill> hidden(Transaction tx, long before, String after) {
        return tx.query(HIDDEN)
                .bind("before", before)
                .bind("after", after)
                .map((row, _) -> skill(row))
                .list();
    }

    /** The bytes of a version are deleted. */
    void removed(Transaction tx, String id, long now) {
        tx.update(REMOVED).bind("id", id).bind("now", now).execute();
    }

    /** Whether a version has this id and its bytes. */
    boolean hasBytes(Transaction tx, String id) {
        return tx.query(HAS_BYTES).bind("id", id).mapTo(Long.class).one() > 0;
    }

    private static Skill skill(ResultSet row) throws SQLException {
        return new Skill(
                new SkillReference(
                        row.getString("id"),
                        row.getString("name"),
                        row.getLong("version"),
                        false,
                        row.getString("description"),
                        row.getString("sha256"),
                        row.getInt("files"),
                        row.getLong("bytes")),
                new TenantId(row.getString("tenant_id")),
                Json.MAPPER.readValue(row.getString("entries"), ENTRIES),
                row.getLong("size"),
                row.getLong("created_at"));
    }
}
