package dev.satchel.server.bag;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.FileNames;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.search.SearchIndexStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * Rows of bag files. A row is first a reserved name that is not listed; when its bytes are stored
 * it is listed. Names stay unique in a bag, also after a deletion: the model may have seen them.
 */
public final class BagStore implements ConversationData {
    private static final String RESERVE =
            """
            INSERT INTO bag_file (id, tenant_id, conversation_id, run_id, name, name_key, path, supersedes,
                                  mime_type, size, sha256, storage_key, source, created_at)
            VALUES (:id, :tenant, :conversation, :run, :name, :nameKey, :path, :supersedes,
                    '', 0, '', :key, :source, :now)
            ON CONFLICT DO NOTHING
            """;

    private static final String ARRIVE =
            """
            UPDATE bag_file
               SET mime_type = :type, size = :size, sha256 = :sha256, created_at = :created,
                   arrived_at = :now,
                   generation = COALESCE((SELECT c.generation FROM conversation c
                                           WHERE c.id = bag_file.conversation_id), 0)
             WHERE id = :id AND arrived_at IS NULL
            """;

    private static final String SUPERSEDE =
            "UPDATE bag_file SET superseded_by = :id WHERE id = :before";

    private static final String RELEASE =
            "DELETE FROM bag_file WHERE id = :id AND arrived_at IS NULL";

    private static final String LIVE = BagContentStore.LIVE;

    private static final String ORDER = " ORDER BY created_at, id";

    private static final String VERSIONS = "SELECT * FROM bag_file" + BagContentStore.IN_BAG + LIVE;

    private static final String LIST_VERSIONS = VERSIONS + ORDER;

    private static final String LIST = VERSIONS + " AND superseded_by IS NULL" + ORDER;

    private static final String DISPATCHED =
            "SELECT * FROM bag_file"
                    + BagContentStore.IN_BAG
                    + LIVE
                    + " AND superseded_by IS NULL AND generation < :generation"
                    + ORDER;

    private static final String FIND =
            "SELECT * FROM bag_file" + BagContentStore.IN_BAG + LIVE + " AND id = :id";

    private static final String OF_RUN =
            "SELECT * FROM bag_file WHERE run_id = :run AND source = 'sandbox'" + LIVE;

    private static final String LIST_OF_RUN = OF_RUN + ORDER;

    private static final String FIND_OF_RUN = OF_RUN + " AND id = :id";

    private static final String BY_ID = "SELECT * FROM bag_file WHERE id = :id" + LIVE;

    private static final String CONVERSATION_OF =
            """
            SELECT conversation_id FROM bag_file
             WHERE id = :id
               AND EXISTS (SELECT 1 FROM conversation c
                            WHERE c.id = bag_file.conversation_id AND c.tenant_id = :tenant AND c.user_id = :user)
            """
                    + LIVE;

    private static final String ATTACH =
            """
            UPDATE bag_file SET message_id = :message
             WHERE id = :id AND conversation_id = :conversation AND message_id IS NULL
            """;

    private static final String DETACH =
            """
            UPDATE bag_file SET message_id = NULL
             WHERE conversation_id = :conversation AND message_id = :message
            """;

    private static final String DELETE =
            """
            UPDATE bag_file SET deleted_at = :now
             WHERE id = :id AND conversation_id = :conversation
            """
                    + LIVE;

    private static final String DELETE_OLDER =
            """
            UPDATE bag_file SET deleted_at = :now
             WHERE conversation_id = :conversation AND superseded_by IS NOT NULL AND source = 'sandbox'
               AND path = (SELECT newest.path FROM bag_file newest
                            WHERE newest.id = :id AND newest.superseded_by IS NULL)
            """
                    + LIVE;

    private static final String DELETE_ALL =
            "UPDATE bag_file SET deleted_at = :now WHERE conversation_id = :conversation" + LIVE;

    private static final String RESTORE_ALL =
            """
            UPDATE bag_file SET deleted_at = NULL
             WHERE conversation_id = :conversation AND deleted_at = :deleted
            """;

    /** Without the reservations of uploads that are still to be moved. */
    static final String ABANDONED =
            """
            SELECT * FROM bag_file
             WHERE arrived_at IS NULL AND created_at < :before
               AND (created_at > :created OR (created_at = :created AND id > :id))
               AND NOT EXISTS (SELECT 1 FROM upload
                                WHERE upload.id = bag_file.id AND upload.moved_at IS NULL)
             ORDER BY created_at, id
             LIMIT 1000
            """;

    private static final String ERASE =
            "DELETE FROM bag_file WHERE conversation_id = :conversation";

    private final BagContentStore contents = new BagContentStore();
    private final OutputStore outputs = new OutputStore();
    private final SearchIndexStore index = new SearchIndexStore();
    private final BagPathStore paths;
    private final ConversationStore conversations;

    public BagStore(ConversationStore conversations) {
        this.conversations = conversations;
        this.paths = new BagPathStore(conversations);
    }

    /**
     * The conversation's row is the lock of its bag: its holder reads what others have committed.
     * False when the conversation is deleted.
     */
    boolean lock(Transaction tx, BagId bag) {
        return conversations.lock(tx, bag.id());
    }

    /** False when a file or a folder has the name. */
    boolean reserve(Transaction tx, BagId bag, @Nullable RunId run, BagFile file) {
        return !contents.isFolder(tx, bag, FileNames.key(file.name()))
                && reserveAll(tx, bag, run, List.of(file)).isEmpty();
    }

    /** Returns the files whose names others have meanwhile reserved. */
    List<BagFile> reserveAll(Transaction tx, BagId bag, @Nullable RunId run, List<BagFile> files) {
        PreparedBatch batch = tx.batch(RESERVE);
        for (BagFile file : files) {
            FileId before = file.supersedes();
            batch.bind("id", file.id().value())
                    .bind("tenant", file.tenant().value())
                    .bind("conversation", bag.owner())
                    .bind("run", run == null ? null : run.value())
                    .bind("name", file.name())
                    .bind("nameKey", FileNames.key(file.name()))
                    .bind("path", file.path())
                    .bind("supersedes", before == null ? null : before.value())
                    .bind("key", file.storageKey().value())
                    .bind("source", file.source())
                    .bind("now", file.createdAt())
                    .add();
        }
        return withoutEffect(files, batch);
    }

    /** False when the reservation has been deleted. */
    boolean arrive(Transaction tx, BagFile file, long now) {
        return arriveAll(tx, List.of(file), now).isEmpty();
    }

    /** Returns the files whose reservations have been deleted. */
    List<BagFile> arriveAll(Transaction tx, List<BagFile> files, long now) {
        PreparedBatch batch = tx.batch(ARRIVE);
        for (BagFile file : files) {
            batch.bind("id", file.id().value())
                    .bind("type", file.mimeType())
                    .bind("size", file.size())
                    .bind("sha256", file.sha256())
                    .bind("created", file.createdAt())
                    .bind("now", now)
                    .add();
        }
        List<BagFile> missing = withoutEffect(files, batch);
        index.addFiles(tx, files.stream().map(file -> file.id().value()).toList());
        return missing;
    }

    /** Makes these versions the newest; the ones before them stay readable. */
    void supersede(Transaction tx, List<BagFile> arrived) {
        PreparedBatch batch = tx.batch(SUPERSEDE);
        for (BagFile file : arrived) {
            FileId before = file.supersedes();
            if (before != null) {
                batch.bind("id", file.id().value()).bind("before", before.value()).add();
            }
        }
        if (batch.size() > 0) {
            int[] _ = batch.execute();
        }
    }

    private static List<BagFile> withoutEffect(List<BagFile> files, PreparedBatch batch) {
        List<BagFile> found = new ArrayList<>();
        int[] changed = files.isEmpty() ? new int[0] : batch.execute();
        for (int i = 0; i < changed.length; i++) {
            if (changed[i] == 0) {
                found.add(files.get(i));
            }
        }
        return found;
    }

    void release(Transaction tx, FileId id) {
        tx.update(RELEASE).bind("id", id.value()).execute();
    }

    /** The newest version of each file. */
    public List<BagFile> list(Transaction tx, BagId bag) {
        return BagContentStore.bind(tx.query(LIST), bag).map((row, _) -> file(row)).list();
    }

    /** The files that were in the bag when a run of this generation began. */
    List<BagFile> dispatched(Transaction tx, BagId bag, long generation) {
        return BagContentStore.bind(tx.query(DISPATCHED), bag)
                .bind("generation", generation)
                .map((row, _) -> file(row))
                .list();
    }

    /** Every version of each file. */
    List<BagFile> listVersions(Transaction tx, BagId bag) {
        return BagContentStore.bind(tx.query(LIST_VERSIONS), bag).map((row, _) -> file(row)).list();
    }

    public Optional<BagFile> find(Transaction tx, BagId bag, FileId id) {
        return BagContentStore.bind(tx.query(FIND), bag)
                .bind("id", id.value())
                .map((row, _) -> file(row))
                .findOne();
    }

    /** A file by its id only. The caller must have checked who may read it. */
    public Optional<BagFile> find(Transaction tx, FileId id) {
        return tx.query(BY_ID).bind("id", id.value()).map((row, _) -> file(row)).findOne();
    }

    /** The conversation of a file of the caller. */
    Optional<ConversationId> conversationOf(Transaction tx, Caller caller, FileId id) {
        return tx.query(CONVERSATION_OF)
                .bind("id", id.value())
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .mapTo(String.class)
                .findOne()
                .map(ConversationId::new);
    }

    /** The files that a run has written back. */
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

    /** Does nothing when the file is attached to a message already. */
    public void attach(
            Transaction tx, ConversationId conversation, FileId file, MessageId message) {
        Update attach = of(tx.update(ATTACH), conversation).bind("id", file.value());
        attach.bind("message", message.value()).execute();
    }

    /** The message was withdrawn before it was part of the thread; its files stay in the bag. */
    public void detach(Transaction tx, ConversationId conversation, MessageId message) {
        of(tx.update(DETACH), conversation).bind("message", message.value()).execute();
    }

    private static Update of(Update update, ConversationId conversation) {
        return update.bind("conversation", conversation.value());
    }

    /** Deletes a version; the newest one with all that it supersedes. */
    public boolean delete(Transaction tx, ConversationId conversation, FileId id, long now) {
        boolean deleted = delete(tx, DELETE, conversation, id, now) == 1;
        if (deleted) {
            int _ = delete(tx, DELETE_OLDER, conversation, id, now);
        }
        return deleted;
    }

    private static int delete(
            Transaction tx, String sql, ConversationId conversation, FileId id, long now) {
        return of(tx.update(sql), conversation).bind("id", id.value()).bind("now", now).execute();
    }

    /** With the conversation. A restore finds these files by the time of deletion. */
    public void deleteAll(Transaction tx, ConversationId conversation, long now) {
        of(tx.update(DELETE_ALL), conversation).bind("now", now).execute();
    }

    public void restoreAll(Transaction tx, ConversationId conversation, long deletedAt) {
        of(tx.update(RESTORE_ALL), conversation).bind("deleted", deletedAt).execute();
    }

    /** Which files a path of the thread has. */
    BagPathStore paths() {
        return paths;
    }

    /** What runs handed in and what they could not. */
    public OutputStore outputs() {
        return outputs;
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        outputs.erase(tx, conversation);
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    /** Reservations whose bytes were not stored in time, a page after a time and an id. */
    List<BagFile> abandoned(Transaction tx, long before, long afterTime, String afterId) {
        return tx.query(ABANDONED)
                .bind("before", before)
                .bind("created", afterTime)
                .bind("id", afterId)
                .map((row, _) -> file(row))
                .list();
    }

    static BagFile file(ResultSet row) throws SQLException {
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
                row.getLong("created_at"),
                row.getString("path"),
                version(row, "supersedes"),
                version(row, "superseded_by"));
    }

    private static @Nullable FileId version(ResultSet row, String column) throws SQLException {
        String id = row.getString(column);
        return id == null ? null : new FileId(id);
    }
}
