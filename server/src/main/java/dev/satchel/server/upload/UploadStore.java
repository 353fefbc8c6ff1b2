package dev.satchel.server.upload;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows of uploads. A row is inserted before the bytes are stored, and then marked as arrived. At
 * most one conversation claims an upload, which is then moved. Unclaimed uploads expire.
 */
public final class UploadStore implements ConversationData {
    private static final String INSERT =
            """
            INSERT INTO upload (id, tenant_id, user_id, session_id, name, mime_type, size, sha256, storage_key, announced,
                                metadata, concat, created_at)
            VALUES (:id, :tenant, :user, :session, :name, '', 0, '', :key, :length, :metadata, :concat, :now)
            """;

    private static final String ARRIVE =
            """
            UPDATE upload SET mime_type = :type, size = :size, sha256 = :sha256, arrived_at = :now
             WHERE id = :id AND arrived_at IS NULL
            """;

    private static final String OWN = " AND tenant_id = :tenant AND user_id = :user";

    private static final String FIND =
            "SELECT * FROM upload WHERE id = :id AND arrived_at IS NOT NULL" + OWN;

    private static final String EXISTS = "SELECT COUNT(*) FROM upload WHERE id = :id";
    private static final String SESSION =
            "SELECT COUNT(*) FROM upload WHERE session_id = :session" + OWN;

    private static final String WAITING =
            """
            SELECT * FROM upload
             WHERE session_id = :session AND tenant_id = :tenant AND conversation_id IS NULL
             ORDER BY created_at, id
            """;

    private static final String UNCLAIMED =
            """
            SELECT * FROM upload
             WHERE tenant_id = :tenant AND user_id = :user
               AND conversation_id IS NULL AND arrived_at IS NOT NULL
               AND (created_at < :time OR (created_at = :time AND id > :id))
             ORDER BY created_at DESC, id LIMIT :limit
            """;

    private static final String ALL_UNCLAIMED =
            "SELECT * FROM upload WHERE conversation_id IS NULL"
                    + OWN
                    + " ORDER BY created_at, id LIMIT 1000";

    private static final String CLAIM =
            """
            UPDATE upload SET conversation_id = :conversation
             WHERE id = :id AND conversation_id IS NULL AND arrived_at IS NOT NULL
            """;

    private static final String SET_BAG_KEY =
            "UPDATE upload SET bag_key = :bagKey WHERE id = :id AND conversation_id IS NOT NULL";

    private static final String UNMOVED =
            """
            SELECT * FROM upload
             WHERE conversation_id IS NOT NULL AND moved_at IS NULL AND id > :after
             ORDER BY id LIMIT 1000
            """;

    private static final String MOVED =
            "UPDATE upload SET moved_at = :now WHERE id = :id AND moved_at IS NULL";

    private static final String EXPIRED =
            """
            SELECT * FROM upload
             WHERE conversation_id IS NULL AND created_at <= :before
               AND (created_at > :created OR (created_at = :created AND id > :id))
             ORDER BY created_at, id LIMIT 1000
            """;

    /** Where a part starts belongs to its key, so of two parts at the same place one is stored. */
    private static final String ADD_PART =
            """
            INSERT INTO upload_part (upload_id, start_at, size, storage_key)
            SELECT u.id, :start, :size, :key FROM upload u
             WHERE u.id = :id AND u.arrived_at IS NULL
               AND (SELECT COALESCE(SUM(p.size), 0) FROM upload_part p WHERE p.upload_id = u.id) = :start
            ON CONFLICT DO NOTHING
            """;

    /** A length is announced once. */
    private static final String SET_LENGTH =
            "UPDATE upload SET announced = :length WHERE id = :id AND announced = -1";

    private static final String COPY_PARTS =
            """
            INSERT INTO upload_part (upload_id, start_at, size, storage_key)
            SELECT :to, start_at + :start, size, storage_key FROM upload_part WHERE upload_id = :from
            """;

    private static final String DROP_PARTS = "DELETE FROM upload_part WHERE upload_id = :id";

    private static final String UNMOVED_KEYS =
            "SELECT storage_key FROM upload WHERE conversation_id = :id AND moved_at IS NULL";

    private static final String ERASE_PARTS =
            """
            DELETE FROM upload_part
             WHERE upload_id IN (SELECT id FROM upload WHERE conversation_id = :id)
            """;

    private static final String ERASE = "DELETE FROM upload WHERE conversation_id = :id";

    private static final String REMOVE_PARTS =
            """
            DELETE FROM upload_part
             WHERE upload_id IN (SELECT id FROM upload WHERE id = :id AND conversation_id IS NULL)
            """;

    private static final String REMOVE =
            "DELETE FROM upload WHERE id = :id AND conversation_id IS NULL";

    void insert(Transaction tx, Upload upload, UserId user) {
        insert(tx, upload, user, null);
    }

    /**
     * What a client says of an upload that arrives in parts.
     *
     * @param length -1 until it is known
     * @param metadata the header of the request, null for none
     * @param concat the header of the request, null for none
     */
    public record Announcement(long length, @Nullable String metadata, @Nullable String concat) {}

    /** Adds the row of an upload, which arrives in parts if it is announced. */
    public void insert(
            Transaction tx, Upload upload, UserId user, @Nullable Announcement announced) {
        tx.update(INSERT)
                .bind("id", upload.id().value())
                .bind("tenant", upload.tenant().value())
                .bind("user", user.value())
                .bind("session", upload.session())
                .bind("name", upload.file().name())
                .bind("key", upload.file().key().value())
                .bind("length", announced == null ? null : announced.length())
                .bind("metadata", announced == null ? null : announced.metadata())
                .bind("concat", announced == null ? null : announced.concat())
                .bind("now", upload.createdAt())
                .execute();
    }

    /** False when the row has been deleted. */
    public boolean arrive(Transaction tx, FileId id, StoredFile file, long now) {
        return tx.update(ARRIVE)
                        .bind("id", id.value())
                        .bind("type", file.mimeType())
                        .bind("size", file.size())
                        .bind("sha256", file.sha256())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    /** A complete upload of the caller, claimed or not. */
    Optional<Upload> find(Transaction tx, Caller caller, FileId id) {
        return tx.query(FIND)
                .bind("id", id.value())
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .map((row, _) -> upload(row))
                .findOne();
    }

    /** Whether there is a row in any state. */
    boolean exists(Transaction tx, FileId id) {
        return tx.query(EXISTS).bind("id", id.value()).mapTo(Long.class).one() > 0;
    }

    boolean hasSession(Transaction tx, Caller caller, String session) {
        return tx.query(SESSION)
                        .bind("session", session)
                        .bind("tenant", caller.tenant().value())
                        .bind("user", caller.user().value())
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    /** The unclaimed uploads of a temporary session, incomplete ones included. */
    List<Upload> waiting(Transaction tx, TenantId tenant, String session) {
        return tx.query(WAITING)
                .bind("session", session)
                .bind("tenant", tenant.value())
                .map((row, _) -> upload(row))
                .list();
    }

    /** Complete uploads that no conversation has, the newest first, after a time and an id. */
    List<Upload> unclaimed(
            Transaction tx, Caller caller, long beforeTime, String afterId, int limit) {
        return tx.query(UNCLAIMED)
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .bind("time", beforeTime)
                .bind("id", afterId)
                .bind("limit", limit)
                .map((row, _) -> upload(row))
                .list();
    }

    /** Unclaimed uploads of a person, incomplete ones included. */
    List<Upload> allUnclaimed(Transaction tx, TenantId tenant, UserId user) {
        return tx.query(ALL_UNCLAIMED)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .map((row, _) -> upload(row))
                .list();
    }

    /** False when another request has claimed it; waits for that transaction to end. */
    boolean claim(Transaction tx, FileId id, ConversationId conversation) {
        return tx.update(CLAIM)
                        .bind("id", id.value())
                        .bind("conversation", conversation.value())
                        .execute()
                == 1;
    }

    /** Stores the key in the bag of a claimed upload. */
    void setBagKey(Transaction tx, FileId id, ObjectKey bagKey) {
        tx.update(SET_BAG_KEY).bind("id", id.value()).bind("bagKey", bagKey.value()).execute();
    }

    /** A page of the claimed uploads that are not yet in their bag. */
    List<Upload> unmoved(Transaction tx, String after) {
        return tx.query(UNMOVED).bind("after", after).map((row, _) -> upload(row)).list();
    }

    /** False when another server has finished the same move. */
    boolean setMoved(Transaction tx, FileId id, long now) {
        return tx.update(MOVED).bind("id", id.value()).bind("now", now).execute() == 1;
    }

    /** A page of the unclaimed uploads from before a time, after a time and an id. */
    List<Upload> expired(Transaction tx, long before, long afterTime, String afterId) {
        return tx.query(EXPIRED)
                .bind("before", before)
                .bind("created", afterTime)
                .bind("id", afterId)
                .map((row, _) -> upload(row))
                .list();
    }

    /** False when a conversation has claimed it. */
    boolean remove(Transaction tx, FileId id) {
        tx.update(REMOVE_PARTS).bind("id", id.value()).execute();
        return tx.update(REMOVE).bind("id", id.value()).execute() == 1;
    }

    /** False when the upload does not continue there: another request was faster, or it is gone. */
    public boolean addPart(Transaction tx, FileId id, long start, long size, ObjectKey key) {
        return tx.update(ADD_PART)
                        .bind("id", id.value())
                        .bind("start", start)
                        .bind("size", size)
                        .bind("key", key.value())
                        .execute()
                == 1;
    }

    /** False when the length was known before. */
    public boolean setLength(Transaction tx, FileId id, long length) {
        return tx.update(SET_LENGTH).bind("id", id.value()).bind("length", length).execute() == 1;
    }

    /** Adds the parts of an upload to another, which has everything before them. */
    public void copyParts(Transaction tx, FileId from, FileId to, long start) {
        tx.update(COPY_PARTS)
                .bind("from", from.value())
                .bind("to", to.value())
                .bind("start", start)
                .execute();
    }

    public void dropParts(Transaction tx, FileId id) {
        tx.update(DROP_PARTS).bind("id", id.value()).execute();
    }

    /** The objects of claimed files whose bytes have not been moved into the bag. */
    List<ObjectKey> unmovedKeys(Transaction tx, ConversationId conversation) {
        return tx.query(UNMOVED_KEYS)
                .bind("id", conversation.value())
                .mapTo(String.class)
                .map(ObjectKey::new)
                .list();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE_PARTS).bind("id", conversation.value()).execute();
        tx.update(ERASE).bind("id", conversation.value()).execute();
    }

    private static Upload upload(ResultSet row) throws SQLException {
        return new Upload(
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
                claim(row));
    }

    private static Upload.@Nullable Claim claim(ResultSet row) throws SQLException {
        String conversation = row.getString("conversation_id");
        if (conversation == null) {
            return null;
        }
        return new Upload.Claim(
                new ConversationId(conversation),
                new ObjectKey(row.getString("bag_key")),
                row.getObject("moved_at") != null);
    }
}
