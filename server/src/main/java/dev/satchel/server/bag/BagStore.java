package dev.satchel.server.bag;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.objectstore.ObjectKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rows of bag files. A row is first a reserved name, seen by nobody; with its bytes in place it
 * arrives. Names are unique in a bag for ever, deleted ones included: the model has been told them.
 */
public final class BagStore implements ConversationData {
    private static final String RESERVE =
            """
            INSERT INTO bag_file (id, tenant_id, conversation_id, run_id, name, name_key, mime_type, size, sha256,
                                  storage_key, source, created_at)
            VALUES (:id, :tenant, :conversation, :run, :name, :nameKey, '', 0, '', :key, :source, :now)
            ON CONFLICT DO NOTHING
            """;

    private static final String ARRIVE =
            """
            UPDATE bag_file
               SET mime_type = :type, size = :size, sha256 = :sha256, created_at = :created,
                   arrived_at = :now
             WHERE id = :id AND arrived_at IS NULL
            """;

    private static final String RELEASE =
            "DELETE FROM bag_file WHERE id = :id AND arrived_at IS NULL";

    private static final String IN_BAG =
            """
             WHERE ((conversation_id = :conversation) OR (conversation_id IS NULL AND run_id = :run))
            """;

    private static final String LIVE = " AND arrived_at IS NOT NULL AND deleted_at IS NULL";

    private static final String ORDER = " ORDER BY created_at, id";

    private static final String LIST = "SELECT * FROM bag_file" + IN_BAG + LIVE + ORDER;

    private static final String FIND = "SELECT * FROM bag_file" + IN_BAG + LIVE + " AND id = :id";

    private static final String SAME =
            "SELECT COUNT(*) FROM bag_file"
                    + IN_BAG
                    + LIVE
                    + " AND name_key = :nameKey AND sha256 = :sha256";

    private static final String NAMED =
            "SELECT COUNT(*) FROM bag_file" + IN_BAG + " AND name_key = :name";

    private static final String BENEATH =
            "SELECT COUNT(*) FROM bag_file" + IN_BAG + " AND name_key LIKE :name ESCAPE '!'";

    private static final String COUNT =
            "SELECT COUNT(*) FROM bag_file" + IN_BAG + " AND deleted_at IS NULL";

    private static final String BYTES =
            "SELECT COALESCE(SUM(size), 0) FROM bag_file" + IN_BAG + LIVE;

    private static final String OF_RUN =
            "SELECT * FROM bag_file WHERE run_id = :run AND source = 'sandbox'" + LIVE;

    private static final String LIST_OF_RUN = OF_RUN + ORDER;

    private static final String FIND_OF_RUN = OF_RUN + " AND id = :id";

    private static final String BY_ID = "SELECT * FROM bag_file WHERE id = :id" + LIVE;

    private static final String CONVERSATION_OF =
            "SELECT conversation_id FROM bag_file"
                    + " WHERE id = :id AND tenant_id = :tenant AND conversation_id IS NOT NULL"
                    + LIVE;

    private static final String ATTACH =
            """
            UPDATE bag_file SET message_id = :message
             WHERE id = :id AND conversation_id = :conversation AND message_id IS NULL
            """;

    private static final String DELETE =
            """
            UPDATE bag_file SET deleted_at = :now
             WHERE id = :id AND conversation_id = :conversation
            """
                    + LIVE;

    private static final String DELETE_ALL =
            "UPDATE bag_file SET deleted_at = :now WHERE conversation_id = :conversation" + LIVE;

    private static final String RESTORE_ALL =
            """
            UPDATE bag_file SET deleted_at = NULL
             WHERE conversation_id = :conversation AND deleted_at = :deleted
            """;

    /** Not what an upload is still to be moved to: however long that takes, it is not given up. */
    private static final String ABANDONED =
            """
            SELECT * FROM bag_file
             WHERE arrived_at IS NULL AND created_at < :before
               AND NOT EXISTS (SELECT 1 FROM upload
                                WHERE upload.id = bag_file.id AND upload.moved_at IS NULL)
             LIMIT 1000
            """;

    private static final String ERASE =
            "DELETE FROM bag_file WHERE conversation_id = :conversation";

    private final ConversationStore conversations;

    public BagStore(ConversationStore conversations) {
        this.conversations = conversations;
    }

    /**
     * The conversation's row is the lock of its bag: whoever holds it sees what others have
     * committed. False when the conversation is deleted.
     */
    boolean lock(Transaction tx, BagId bag) {
        if (!(bag instanceof BagId.OfConversation of)) {
            return true; // a run's own files come from that run alone
        }
        return conversations.lock(tx, of.id());
    }

    /** False when the name is taken, by a file or as a folder. */
    boolean reserve(Transaction tx, BagId bag, @Nullable RunId run, String nameKey, BagFile file) {
        return !isFolder(tx, bag, nameKey) && insert(tx, bag, run, nameKey, file);
    }

    /** Whether a file has this name, or ever had. */
    boolean isFile(Transaction tx, BagId bag, String nameKey) {
        return named(tx, NAMED, bag, nameKey) > 0;
    }

    private static boolean isFolder(Transaction tx, BagId bag, String nameKey) {
        String literal = nameKey.replace("!", "!!").replace("%", "!%").replace("_", "!_");
        return named(tx, BENEATH, bag, literal + "/%") > 0;
    }

    private static long named(Transaction tx, String sql, BagId bag, String name) {
        return tx.query(sql)
                .bind("conversation", conversation(bag))
                .bind("run", run(bag))
                .bind("name", name)
                .mapTo(Long.class)
                .one();
    }

    private static boolean insert(
            Transaction tx, BagId bag, @Nullable RunId run, String nameKey, BagFile file) {
        return tx.update(RESERVE)
                        .bind("id", file.id().value())
                        .bind("tenant", file.tenant().value())
                        .bind("conversation", conversation(bag))
                        .bind("run", run == null ? null : run.value())
                        .bind("name", file.name())
                        .bind("nameKey", nameKey)
                        .bind("key", file.storageKey().value())
                        .bind("source", file.source())
                        .bind("now", file.createdAt())
                        .execute()
                == 1;
    }

    /** False when the reservation is gone. */
    boolean arrive(Transaction tx, BagFile file, long now) {
        return tx.update(ARRIVE)
                        .bind("id", file.id().value())
                        .bind("type", file.mimeType())
                        .bind("size", file.size())
                        .bind("sha256", file.sha256())
                        .bind("created", file.createdAt())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    void release(Transaction tx, FileId id) {
        tx.update(RELEASE).bind("id", id.value()).execute();
    }

    public List<BagFile> list(Transaction tx, BagId bag) {
        return tx.query(LIST)
                .bind("conversation", conversation(bag))
                .bind("run", run(bag))
                .map((row, _) -> file(row))
                .list();
    }

    public Optional<BagFile> find(Transaction tx, BagId bag, FileId id) {
        return tx.query(FIND)
                .bind("conversation", conversation(bag))
                .bind("run", run(bag))
                .bind("id", id.value())
                .map((row, _) -> file(row))
                .findOne();
    }

    /** A live file by its id alone; who may see it was decided when the id was written down. */
    public Optional<BagFile> find(Transaction tx, FileId id) {
        return tx.query(BY_ID).bind("id", id.value()).map((row, _) -> file(row)).findOne();
    }

    /** Whose bag a tenant's file is in; empty for what a run without a conversation handed in. */
    Optional<ConversationId> conversationOf(Transaction tx, TenantId tenant, FileId id) {
        return tx.query(CONVERSATION_OF)
                .bind("id", id.value())
                .bind("tenant", tenant.value())
                .mapTo(String.class)
                .findOne()
                .map(ConversationId::new);
    }

    /** Whether the bag already holds this very file under this very name. */
    boolean holds(Transaction tx, BagId bag, String nameKey, String sha256) {
        return tx.query(SAME)
                        .bind("conversation", conversation(bag))
                        .bind("run", run(bag))
                        .bind("nameKey", nameKey)
                        .bind("sha256", sha256)
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    /** Files in the bag, those still arriving included. */
    long count(Transaction tx, BagId bag) {
        return number(tx, COUNT, bag);
    }

    long bytes(Transaction tx, BagId bag) {
        return number(tx, BYTES, bag);
    }

    /** What a run handed in. */
    public List<BagFile> ofRun(Transaction tx, RunId run) {
        return tx.query(LIST_OF_RUN).bind("run", run.value()).map((row, _) -> file(row)).list();
    }

    Optional<BagFile> ofRun(Transaction tx, RunId run, FileId id) {
        return tx.query(FIND_OF_RUN)
                .bind("run", run.value())
                .bind("id", id.value())
                .map((row, _) -> file(row))
                .findOne();
    }

    public List<FileAttachment> attachmentsOfRun(Transaction tx, RunId run) {
        return ofRun(tx, run).stream().map(BagFile::attachment).toList();
    }

    /** The first message to attach a file keeps it. */
    public void attach(
            Transaction tx, ConversationId conversation, FileId file, MessageId message) {
        tx.update(ATTACH)
                .bind("id", file.value())
                .bind("conversation", conversation.value())
                .bind("message", message.value())
                .execute();
    }

    public boolean delete(Transaction tx, ConversationId conversation, FileId id, long now) {
        return tx.update(DELETE)
                        .bind("id", id.value())
                        .bind("conversation", conversation.value())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    /** With the conversation; the time of deletion marks what a restore brings back. */
    public void deleteAll(Transaction tx, ConversationId conversation, long now) {
        tx.update(DELETE_ALL).bind("conversation", conversation.value()).bind("now", now).execute();
    }

    public void restoreAll(Transaction tx, ConversationId conversation, long deletedAt) {
        tx.update(RESTORE_ALL)
                .bind("conversation", conversation.value())
                .bind("deleted", deletedAt)
                .execute();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    /** Reservations whose bytes never came. */
    List<BagFile> abandoned(Transaction tx, long before) {
        return tx.query(ABANDONED).bind("before", before).map((row, _) -> file(row)).list();
    }

    private static long number(Transaction tx, String sql, BagId bag) {
        return tx.query(sql)
                .bind("conversation", conversation(bag))
                .bind("run", run(bag))
                .mapTo(Long.class)
                .one();
    }

    private static @Nullable String conversation(BagId bag) {
        return bag instanceof BagId.OfConversation of ? of.id().value() : null;
    }

    private static @Nullable String run(BagId bag) {
        return bag instanceof BagId.OfRun of ? of.id().value() : null;
    }

    private static BagFile file(ResultSet row) throws SQLException {
        String message = row.getString("message_id");
        return new BagFile(
                new FileId(row.getString("id")),
                new TenantId(row.getString("tenant_id")),
                message == null ? null : new MessageId(message),
                row.getString("name"),
                row.getString("mime_type"),
                row.getLong("size"),
                row.getString("sha256"),
                new ObjectKey(row.getString("storage_key")),
                row.getString("source"),
                row.getLong("created_at"));
    }
}
