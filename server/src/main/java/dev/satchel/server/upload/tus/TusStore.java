package dev.satchel.server.upload.tus;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.upload.Upload;
import dev.satchel.server.upload.UploadStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the rows of uploads that arrive in parts; {@code UploadStore} writes them. */
final class TusStore {
    private static final String FIND =
            """
            SELECT u.*, (SELECT COALESCE(SUM(p.size), 0) FROM upload_part p WHERE p.upload_id = u.id) AS received
              FROM upload u
             WHERE u.id = :id AND u.tenant_id = :tenant AND u.user_id = :user AND u.announced IS NOT NULL
            """;

    private static final String PARTIAL =
            "SELECT u.*, 0 AS received FROM upload u WHERE u.id = :id AND u.tenant_id = :tenant AND"
                    + " u.concat = 'partial'";

    private static final String PARTS =
            "SELECT storage_key, size FROM upload_part WHERE upload_id = :id ORDER BY start_at";

    /** An object and how much of it counts: one piece, or several that grew in it. */
    record Part(ObjectKey key, long size) {
        Part plus(Part next) {
            return new Part(key, size + next.size);
        }
    }

    Optional<TusUpload> find(Transaction tx, Caller caller, FileId id) {
        return tx.query(FIND)
                .bind("id", id.value())
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .map((row, _) -> upload(row))
                .findOne();
    }

    /** The uploads with these ids that are there, to delete them. */
    List<Upload> partials(Transaction tx, Upload whole, List<FileId> ids) {
        return ids.stream()
                .flatMap(
                        id ->
                                tx
                                        .query(PARTIAL)
                                        .bind("id", id.value())
                                        .bind("tenant", whole.tenant().value())
                                        .map((row, _) -> upload(row).upload())
                                        .findOne()
                                        .stream())
                .toList();
    }

    /** In their order; none once the file is put together. */
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

    private static TusUpload upload(ResultSet row) throws SQLException {
        boolean arrived = row.getObject("arrived_at") != null;
        UploadStore.Announcement announced =
                new UploadStore.Announcement(
                        row.getLong("announced"),
                        row.getString("metadata"),
                        row.getString("concat"));
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
        long received = arrived ? announced.length() : row.getLong("received");
        return new TusUpload(upload, announced, received, arrived);
    }
}
