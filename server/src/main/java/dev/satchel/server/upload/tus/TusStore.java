package dev.satchel.server.upload.tus;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.upload.Upload;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Rows of resumable uploads and their chunks. The offset of a chunk is part of its key, so only one
 * of two chunks with the same offset is stored, on any node.
 */
final class TusStore {
    private static final String INSERT =
            """
            INSERT INTO upload (id, tenant_id, session_id, name, mime_type, size, sha256, storage_key, announced,
                                created_at)
            VALUES (:id, :tenant, :session, :name, '', 0, '', :key, :length, :now)
            """;

    private static final String FIND =
            """
            SELECT u.*, (SELECT COALESCE(SUM(p.size), 0) FROM upload_part p WHERE p.upload_id = u.id) AS received
              FROM upload u
             WHERE u.id = :id AND u.tenant_id = :tenant AND u.announced IS NOT NULL
            """;

    private static final String ADD_PART =
            """
            INSERT INTO upload_part (upload_id, start_at, size, storage_key)
            SELECT u.id, :start, :size, :key FROM upload u
             WHERE u.id = :id AND u.arrived_at IS NULL
               AND (SELECT COALESCE(SUM(p.size), 0) FROM upload_part p WHERE p.upload_id = u.id) = :start
            ON CONFLICT DO NOTHING
            """;

    private static final String PARTS =
            "SELECT storage_key, size FROM upload_part WHERE upload_id = :id ORDER BY start_at";

    private static final String DROP_PARTS = "DELETE FROM upload_part WHERE upload_id = :id";

    /** An object with one or more chunks, and how many of its bytes are valid. */
    record Part(ObjectKey key, long size) {
        Part plus(Part next) {
            return new Part(key, size + next.size);
        }
    }

    void insert(Transaction tx, Upload upload, long length) {
        tx.update(INSERT)
                .bind("id", upload.id().value())
                .bind("tenant", upload.tenant().value())
                .bind("session", upload.session())
                .bind("name", upload.file().name())
                .bind("key", upload.file().key().value())
                .bind("length", length)
                .bind("now", upload.createdAt())
                .execute();
    }

    Optional<TusUpload> find(Transaction tx, TenantId tenant, FileId id) {
        return tx.query(FIND)
                .bind("id", id.value())
                .bind("tenant", tenant.value())
                .map((row, _) -> upload(row))
                .findOne();
    }

    /** False when the upload does not continue at this offset, or has been deleted. */
    boolean addPart(Transaction tx, FileId id, long start, long size, ObjectKey key) {
        return tx.update(ADD_PART)
                        .bind("id", id.value())
                        .bind("start", start)
                        .bind("size", size)
                        .bind("key", key.value())
                        .execute()
                == 1;
    }

    /** In order; none when the upload is complete. */
    List<Part> parts(Transaction tx, FileId id) {
        List<Part> parts = new ArrayList<>();
        for (Part chunk :
                tx.query(PARTS).bind("id", id.value()).map((row, _) -> part(row)).list()) {
            boolean sameObject = !parts.isEmpty() && parts.getLast().key().equals(chunk.key());
            parts.add(sameObject ? parts.removeLast().plus(chunk) : chunk);
        }
        return parts;
    }

    private static Part part(ResultSet row) throws SQLException {
        return new Part(new ObjectKey(row.getString("storage_key")), row.getLong("size"));
    }

    void dropParts(Transaction tx, FileId id) {
        tx.update(DROP_PARTS).bind("id", id.value()).execute();
    }

    private static TusUpload upload(ResultSet row) throws SQLException {
        boolean arrived = row.getObject("arrived_at") != null;
        long length = row.getLong("announced");
        Upload upload =
                new Upload(
                        new FileId(row.getString("id")),
                        new TenantId(row.getString("tenant_id")),
                        row.getString("session_id"),
                        new StoredFile(
                                row.getString("name"),
                                row.getString("mime_type"),
                                row.getLong("size"),
                                row.getString("sha256"),
                                new ObjectKey(row.getString("storage_key"))),
                        row.getLong("created_at"),
                        null);
        return new TusUpload(upload, length, arrived ? length : row.getLong("received"), arrived);
    }
}
