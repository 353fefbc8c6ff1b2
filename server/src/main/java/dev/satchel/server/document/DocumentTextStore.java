package dev.satchel.server.document;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.objectstore.ObjectKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of texts of files, by tenant and content: no tenant learns what another one has. */
public final class DocumentTextStore {
    private static final String INSERT =
            """
            INSERT INTO document_text (tenant_id, sha256, storage_key, size, problem, created_at)
            VALUES (:tenant, :sha256, :key, :size, :problem, :now)
            ON CONFLICT (tenant_id, sha256) DO NOTHING
            """;

    private static final String FIND =
            "SELECT * FROM document_text WHERE tenant_id = :tenant AND sha256 = :sha256";

    /** No file has these bytes any more. */
    private static final String UNUSED =
            """
               AND NOT EXISTS (SELECT 1 FROM bag_file b
                                WHERE b.tenant_id = document_text.tenant_id AND b.sha256 = document_text.sha256)
               AND NOT EXISTS (SELECT 1 FROM asset a
                                WHERE a.tenant_id = document_text.tenant_id AND a.sha256 = document_text.sha256)
               AND NOT EXISTS (SELECT 1 FROM upload u
                                WHERE u.tenant_id = document_text.tenant_id AND u.sha256 = document_text.sha256)
            """;

    private static final String UNUSED_PAGE =
            """
            SELECT * FROM document_text
             WHERE (tenant_id > :tenant OR (tenant_id = :tenant AND sha256 > :sha256))
            """
                    + UNUSED
                    + " ORDER BY tenant_id, sha256 LIMIT 200";

    private static final String REMOVE_UNUSED =
            "DELETE FROM document_text WHERE tenant_id = :tenant AND sha256 = :sha256" + UNUSED;

    private static final String EXISTS =
            "SELECT COUNT(*) FROM document_text WHERE storage_key = :key";

    /** A row that is not used. */
    record Unused(TenantId tenant, String sha256, ExtractedText text) {}

    /** False when another server has stored the text of the same bytes. */
    boolean insert(Transaction tx, TenantId tenant, String sha256, ExtractedText text, long now) {
        ObjectKey key = text.key();
        return tx.update(INSERT)
                        .bind("tenant", tenant.value())
                        .bind("sha256", sha256)
                        .bind("key", key == null ? null : key.value())
                        .bind("size", text.size())
                        .bind("problem", text.problem())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    Optional<ExtractedText> find(Transaction tx, TenantId tenant, String sha256) {
        return tx.query(FIND)
                .bind("tenant", tenant.value())
                .bind("sha256", sha256)
                .map((row, _) -> text(row))
                .findOne();
    }

    List<Unused> unused(Transaction tx, @Nullable Unused after) {
        return tx.query(UNUSED_PAGE)
                .bind("tenant", after == null ? "" : after.tenant().value())
                .bind("sha256", after == null ? "" : after.sha256())
                .map(
                        (row, _) ->
                                new Unused(
                                        new TenantId(row.getString("tenant_id")),
                                        row.getString("sha256"),
                                        text(row)))
                .list();
    }

    /** False when a file with these bytes has arrived. */
    boolean removeUnused(Transaction tx, Unused unused) {
        return tx.update(REMOVE_UNUSED)
                        .bind("tenant", unused.tenant().value())
                        .bind("sha256", unused.sha256())
                        .execute()
                == 1;
    }

    boolean exists(Transaction tx, ObjectKey key) {
        return tx.query(EXISTS).bind("key", key.value()).mapTo(Long.class).one() > 0;
    }

    private static ExtractedText text(ResultSet row) throws SQLException {
        String key = row.getString("storage_key");
        return new ExtractedText(
                key == null ? null : new ObjectKey(key),
                row.getLong("size"),
                row.getString("problem"));
    }
}
