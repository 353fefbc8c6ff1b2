package dev.satchel.server.snapshot;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.snapshot.SnapshotService.Origin;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Rows of snapshots. A snapshot exists from the moment its row exists. */
public final class SnapshotStore implements ConversationData {
    private static final String ERASE =
            "DELETE FROM snapshot WHERE conversation_id = :conversation";

    /**
     * Inserts nothing if there is a snapshot of a later turn, or if the files were given up: a late
     * one must not be newest. Without a message it belongs to the last one of the thread.
     */
    private static final String INSERT =
            """
            INSERT INTO snapshot (id, tenant_id, conversation_id, number, generation, run_id, message_id,
                                  restored_from, manifest, packs, files, bytes, added, changed, removed, created_at)
            SELECT :id, :tenant, c.id,
                   (SELECT COALESCE(MAX(s.number), 0) + 1 FROM snapshot s WHERE s.conversation_id = c.id),
                   :generation, :run,
                   CASE WHEN :beforeAll = 1 THEN NULL
                        ELSE COALESCE(:message, (SELECT m.id FROM message m
                                                  WHERE m.conversation_id = c.id
                                                    AND m.seq = COALESCE((SELECT t.head_seq FROM thread_head t
                                                                           WHERE t.conversation_id = c.id),
                                                                         c.message_count))) END,
                   :restoredFrom, :manifest, :packs, :files, :bytes, :added, :changed, :removed, :now
              FROM conversation c
             WHERE c.id = :conversation AND c.generation >= :generation
               AND c.workspace_generation <= :generation
               AND NOT EXISTS (SELECT 1 FROM snapshot s
                                WHERE s.conversation_id = c.id AND s.generation > :generation)
            """;

    /** Of a run that is on, the state before it. */
    private static final String GENERATION =
            """
            SELECT CASE WHEN active_run_id IS NULL THEN generation ELSE generation - 1 END
              FROM conversation
             WHERE id = :conversation
            """;

    private static final String BEFORE =
            """
            SELECT * FROM snapshot
             WHERE conversation_id = :conversation
               AND number < (SELECT number FROM snapshot WHERE id = :id)
             ORDER BY number DESC LIMIT 1
            """;

    private static final String BEGIN_RESTORE =
            """
            INSERT INTO workspace_restore (conversation_id, snapshot_id) VALUES (:conversation, :id)
            ON CONFLICT (conversation_id) DO UPDATE SET snapshot_id = excluded.snapshot_id
            """;

    private static final String UNFINISHED =
            """
            SELECT s.* FROM workspace_restore r JOIN snapshot s ON s.id = r.snapshot_id
             WHERE r.conversation_id = :conversation
            """;

    private static final String IS_UNFINISHED =
            "SELECT 1 FROM workspace_restore WHERE conversation_id = :conversation";

    private static final String END_RESTORE =
            "DELETE FROM workspace_restore WHERE conversation_id = :conversation";

    private static final String NEWEST =
            "SELECT * FROM snapshot WHERE conversation_id = :conversation ORDER BY number DESC LIMIT 1";

    private static final String ALL =
            "SELECT * FROM snapshot WHERE conversation_id = :conversation ORDER BY number DESC";

    private static final String ANY_OF_MESSAGE =
            """
            SELECT 1 FROM snapshot
             WHERE conversation_id = :conversation AND message_id = :message LIMIT 1
            """;

    private static final String FIND =
            "SELECT * FROM snapshot WHERE id = :id AND conversation_id = :conversation";

    /** A snapshot without a message follows the one before. */
    private static final String PLACES =
            """
            SELECT s.id, COALESCE(m.seq, 0), m.role
              FROM snapshot s
              LEFT JOIN message m ON m.conversation_id = s.conversation_id AND m.id = s.message_id
             WHERE s.conversation_id = :conversation
             ORDER BY s.number
            """;

    private static final String SHARED =
            """
            SELECT snapshot_id FROM chat_share
             WHERE conversation_id = :conversation AND snapshot_id IS NOT NULL
            """;

    private static final String DELETE = "DELETE FROM snapshot WHERE id = :id";

    /** A pack or a manifest of an earlier snapshot is there already. */
    private static final String ADD_OBJECT =
            """
            INSERT INTO snapshot_object (conversation_id, name, pack_bytes) VALUES (:conversation, :name, :bytes)
            ON CONFLICT DO NOTHING
            """;

    private static final String DELETE_OBJECT =
            "DELETE FROM snapshot_object WHERE conversation_id = :conversation AND name = :name";

    private static final String ERASE_OBJECTS =
            "DELETE FROM snapshot_object WHERE conversation_id = :conversation";

    /** The number of conversations is fixed, so that there is one statement to prepare. */
    static final int MAX_CONVERSATIONS = 256;

    private static final String OBJECTS =
            "SELECT conversation_id, name FROM snapshot_object WHERE conversation_id IN ("
                    + IntStream.range(0, MAX_CONVERSATIONS)
                            .mapToObj(i -> ":id" + i)
                            .collect(Collectors.joining(", "))
                    + ")";

    private static final TypeReference<List<Pack>> PACKS = new TypeReference<>() {};

    private final ConversationStore conversations;

    public SnapshotStore(ConversationStore conversations) {
        this.conversations = conversations;
    }

    /**
     * From then on the files of the workspace are not pending any more.
     *
     * @param beforeAll whether the snapshot belongs to the beginning of the thread
     */
    boolean insert(Transaction tx, Snapshot snapshot, boolean beforeAll) {
        boolean inserted = insertRow(tx, snapshot, beforeAll);
        if (inserted) {
            insertObjects(tx, snapshot);
            conversations.clearPending(tx, snapshot.conversation());
        }
        return inserted;
    }

    private static boolean insertRow(Transaction tx, Snapshot snapshot, boolean beforeAll) {
        MessageId message = snapshot.message();
        SnapshotId restored = snapshot.restoredFrom();
        Manifest.Counts changes = snapshot.changes();
        return tx.update(INSERT)
                        .bind("id", snapshot.id().value())
                        .bind("tenant", snapshot.tenant().value())
                        .bind("conversation", snapshot.conversation().value())
                        .bind("generation", snapshot.generation())
                        .bind("run", snapshot.runId())
                        .bind("message", message == null ? null : message.value())
                        .bind("beforeAll", beforeAll ? 1 : 0)
                        .bind("restoredFrom", restored == null ? null : restored.value())
                        .bind("manifest", snapshot.manifest())
                        .bind("packs", Json.MAPPER.writeValueAsString(snapshot.packs()))
                        .bind("files", snapshot.files())
                        .bind("bytes", snapshot.bytes())
                        .bind("added", changes == null ? null : changes.added())
                        .bind("changed", changes == null ? null : changes.changed())
                        .bind("removed", changes == null ? null : changes.removed())
                        .bind("now", snapshot.createdAt())
                        .execute()
                == 1;
    }

    private static void insertObjects(Transaction tx, Snapshot snapshot) {
        try (PreparedBatch batch = tx.batch(ADD_OBJECT)) {
            String conversation = snapshot.conversation().value();
            batch.bind("conversation", conversation)
                    .bind("name", snapshot.manifest())
                    .bind("bytes", 0L)
                    .add();
            for (Pack pack : snapshot.packs()) {
                batch.bind("conversation", conversation)
                        .bind("name", pack.name())
                        .bind("bytes", pack.size())
                        .add();
            }
            batch.execute();
        }
    }

    Optional<Snapshot> newest(Transaction tx, ConversationId conversation) {
        return tx.query(NEWEST)
                .bind("conversation", conversation.value())
                .map((row, _) -> snapshot(row))
                .findOne();
    }

    /** That of a snapshot that is taken outside of runs. */
    OptionalLong generation(Transaction tx, ConversationId conversation) {
        return tx.query(GENERATION)
                .bind("conversation", conversation.value())
                .mapTo(Long.class)
                .findOne()
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** The place of a snapshot that is taken before the run of a question. */
    Origin before(Transaction tx, Origin origin, MessageId question) {
        ConversationId id = origin.conversation();
        MessageTree tree = conversations.threads().tree(tx, id);
        long asked = conversations.threads().seqOf(tx, id, question).orElseThrow();
        boolean isNew = tree.children(asked).isEmpty() && !hasAny(tx, id, question);
        long place = isNew ? tree.parent(asked) : asked;
        String message = conversations.threads().ids(tx, id, List.of(place)).get(place);
        return new Origin(
                origin.tenant(),
                id,
                origin.generation(),
                origin.runId(),
                message == null ? null : new MessageId(message),
                message == null);
    }

    private static boolean hasAny(Transaction tx, ConversationId id, MessageId message) {
        return tx.query(ANY_OF_MESSAGE)
                .bind("conversation", id.value())
                .bind("message", message.value())
                .mapTo(Long.class)
                .findOne()
                .isPresent();
    }

    /** At the message with a number; 0 is the beginning. */
    record Placed(SnapshotId id, long message, boolean isOfQuestion) {}

    List<Placed> placed(Transaction tx, ConversationId conversation) {
        AtomicLong place = new AtomicLong();
        return tx.query(PLACES)
                .bind("conversation", conversation.value())
                .map(
                        (row, _) -> {
                            long at = row.getLong(2) > 0 ? row.getLong(2) : place.get();
                            place.set(at);
                            boolean isOfQuestion = Role.USER.wireName().equals(row.getString(3));
                            return new Placed(new SnapshotId(row.getString(1)), at, isOfQuestion);
                        })
                .list();
    }

    MessageTree tree(Transaction tx, ConversationId conversation) {
        return conversations.threads().tree(tx, conversation);
    }

    /** The snapshot that was newest when this one was stored. */
    Optional<Snapshot> before(Transaction tx, Snapshot snapshot) {
        return tx.query(BEFORE)
                .bind("conversation", snapshot.conversation().value())
                .bind("id", snapshot.id().value())
                .map((row, _) -> snapshot(row))
                .findOne();
    }

    /** From then on the snapshot counts, whatever the live workspace has. */
    void beginRestore(Transaction tx, Snapshot snapshot) {
        tx.update(BEGIN_RESTORE)
                .bind("conversation", snapshot.conversation().value())
                .bind("id", snapshot.id().value())
                .execute();
    }

    /** The snapshot to which the live workspace was not yet brought. */
    Optional<Snapshot> unfinished(Transaction tx, ConversationId conversation) {
        return tx.query(UNFINISHED)
                .bind("conversation", conversation.value())
                .map((row, _) -> snapshot(row))
                .findOne();
    }

    boolean isUnfinished(Transaction tx, ConversationId conversation) {
        return tx.query(IS_UNFINISHED)
                .bind("conversation", conversation.value())
                .mapTo(Long.class)
                .findOne()
                .isPresent();
    }

    void endRestore(Transaction tx, ConversationId conversation) {
        tx.update(END_RESTORE).bind("conversation", conversation.value()).execute();
    }

    /** Newest first. */
    List<Snapshot> all(Transaction tx, ConversationId conversation) {
        return tx.query(ALL)
                .bind("conversation", conversation.value())
                .map((row, _) -> snapshot(row))
                .list();
    }

    Optional<Snapshot> find(Transaction tx, ConversationId conversation, SnapshotId id) {
        return tx.query(FIND)
                .bind("id", id.value())
                .bind("conversation", conversation.value())
                .map((row, _) -> snapshot(row))
                .findOne();
    }

    /** The snapshots that people show to others. */
    Set<SnapshotId> shared(Transaction tx, ConversationId conversation) {
        return tx.query(SHARED)
                .bind("conversation", conversation.value())
                .map((row, _) -> new SnapshotId(row.getString(1)))
                .set();
    }

    /**
     * Deletes a snapshot, and the rows of the objects that no other snapshot needs; false if it was
     * shared meanwhile.
     */
    boolean delete(Transaction tx, Snapshot snapshot, List<String> unneeded) {
        boolean _ = conversations.lock(tx, snapshot.conversation()); // as a new share does
        if (shared(tx, snapshot.conversation()).contains(snapshot.id())) {
            return false;
        }
        tx.update(DELETE).bind("id", snapshot.id().value()).execute();
        for (String name : unneeded) {
            tx.update(DELETE_OBJECT)
                    .bind("conversation", snapshot.conversation().value())
                    .bind("name", name)
                    .execute();
        }
        return true;
    }

    /** The objects that the snapshots of up to {@link #MAX_CONVERSATIONS} conversations need. */
    Set<NeededObject> objects(Transaction tx, List<ConversationId> conversations) {
        Query query = tx.query(OBJECTS);
        for (int i = 0; i < MAX_CONVERSATIONS; i++) {
            int last = Math.min(i, conversations.size() - 1);
            query.bind("id" + i, conversations.get(last).value());
        }
        return query.map((row, _) -> new NeededObject(row.getString(1), row.getString(2))).set();
    }

    /** An object by its conversation and the name in the rows and manifests of it. */
    record NeededObject(String conversation, String name) {}

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        endRestore(tx, conversation);
        tx.update(ERASE_OBJECTS).bind("conversation", conversation.value()).execute();
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    private static Snapshot snapshot(ResultSet row) throws SQLException {
        String message = row.getString("message_id");
        String restored = row.getString("restored_from");
        return new Snapshot(
                new SnapshotId(row.getString("id")),
                new TenantId(row.getString("tenant_id")),
                new ConversationId(row.getString("conversation_id")),
                row.getLong("generation"),
                row.getString("run_id"),
                message == null ? null : new MessageId(message),
                restored == null ? null : new SnapshotId(restored),
                row.getString("manifest"),
                Json.MAPPER.readValue(row.getString("packs"), PACKS),
                row.getLong("files"),
                row.getLong("bytes"),
                changes(row),
                row.getLong("created_at"));
    }

    private static Manifest.@Nullable Counts changes(ResultSet row) throws SQLException {
        long added = row.getLong("added");
        return row.wasNull()
                ? null
                : new Manifest.Counts(added, row.getLong("changed"), row.getLong("removed"));
    }
}
