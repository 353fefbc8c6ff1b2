package dev.satchel.server.bag;

import dev.satchel.server.bag.WorkspaceCopies.DispatchedFile;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;

/** Rows of the copies of bag files in workspaces. */
public final class WorkspaceCopyStore implements ConversationData {
    /** A generation before that of every turn. */
    public static final long NO_GENERATION = -1;

    private static final String RECORD =
            """
            INSERT INTO workspace_copy (conversation_id, file_id, path, sha256, generation)
            VALUES (:conversation, :file, :path, :sha256, :generation)
            ON CONFLICT (conversation_id, file_id) DO UPDATE
               SET path = excluded.path, sha256 = excluded.sha256, generation = excluded.generation,
                   removed = NULL
            """;

    private static final String ALL =
            "SELECT * FROM workspace_copy WHERE conversation_id = :conversation";

    /** The bag when a run began, with the paths of the copies. */
    private static final String DISPATCHED =
            """
            SELECT b.id, b.name, b.size, b.sha256, b.mime_type, w.path
              FROM bag_file b
              LEFT JOIN workspace_copy w ON w.conversation_id = b.conversation_id AND w.file_id = b.id
             WHERE b.conversation_id = :conversation
               AND b.arrived_at IS NOT NULL AND b.deleted_at IS NULL
               AND b.superseded_by IS NULL AND b.generation < :generation
            """;

    private static final String OLDEST_FIRST = " ORDER BY b.created_at, b.id";

    private static final String COPIED =
            DISPATCHED + " AND w.path IS NOT NULL" + OLDEST_FIRST + " LIMIT :limit";

    private static final String COPIED_FILE =
            DISPATCHED + " AND w.path IS NOT NULL AND b.id = :file";

    private static final String FIND = ALL + " AND file_id = :file AND removed IS NULL";

    /** A path that a file of the bag uses again is not outdated. */
    private static final String OUTDATED =
            """
            SELECT * FROM workspace_copy w
             WHERE w.conversation_id = :conversation AND w.removed IS NULL
               AND NOT EXISTS (SELECT 1 FROM bag_file b
                                WHERE b.id = w.file_id
                                  AND b.arrived_at IS NOT NULL AND b.deleted_at IS NULL)
               AND NOT EXISTS (SELECT 1 FROM workspace_copy o JOIN bag_file b ON b.id = o.file_id
                                WHERE o.conversation_id = w.conversation_id AND o.path = w.path
                                  AND o.file_id <> w.file_id
                                  AND b.arrived_at IS NOT NULL AND b.deleted_at IS NULL)
            """;

    private static final String FORMER =
            """
            SELECT * FROM workspace_copy w
             WHERE w.conversation_id = :conversation
               AND NOT EXISTS (SELECT 1 FROM bag_file b
                                WHERE b.id = w.file_id
                                  AND b.arrived_at IS NOT NULL AND b.deleted_at IS NULL
                                  AND b.superseded_by IS NULL)
            """;

    private static final String SETTLE =
            """
            UPDATE workspace_copy SET removed = :generation
             WHERE conversation_id = :conversation AND file_id = :file
            """;

    private static final String FORGET_AFTER =
            """
            DELETE FROM workspace_copy
             WHERE conversation_id = :conversation AND generation > :generation
            """;

    private static final String RESTORED_AFTER =
            """
            UPDATE workspace_copy SET removed = NULL
             WHERE conversation_id = :conversation AND removed > :generation
            """;

    private static final String ANY_AFTER =
            """
            SELECT 1 FROM workspace_copy
             WHERE conversation_id = :conversation AND (generation > :generation OR removed > :generation)
             LIMIT 1
            """;

    private static final String CHANGES =
            "SELECT file_changes FROM conversation_usage WHERE conversation_id = :conversation";

    private static final String UP_TO_DATE =
            """
            SELECT 1 FROM workspace_comparison w JOIN conversation_usage u USING (conversation_id)
             WHERE conversation_id = :conversation AND w.file_changes = u.file_changes
            """;

    private static final String SET_UP_TO_DATE =
            """
            INSERT INTO workspace_comparison (conversation_id, file_changes)
            VALUES (:conversation, :changes)
            ON CONFLICT (conversation_id) DO UPDATE SET file_changes = excluded.file_changes
            """;

    private static final String SET_OUT_OF_DATE =
            "DELETE FROM workspace_comparison WHERE conversation_id = :conversation";

    private static final String FORGET =
            "DELETE FROM workspace_copy WHERE conversation_id = :conversation AND file_id = :file";

    private static final String ERASE =
            "DELETE FROM workspace_copy WHERE conversation_id = :conversation";

    /** Within the transaction that makes the files visible, or after the copies are made. */
    public void record(Transaction tx, ConversationId conversation, List<WorkspaceCopy> copies) {
        if (copies.isEmpty()) {
            return;
        }
        setOutOfDate(tx, conversation);
        PreparedBatch rows = tx.batch(RECORD);
        for (WorkspaceCopy copy : copies) {
            rows.bind("conversation", conversation.value())
                    .bind("file", copy.file().value())
                    .bind("path", copy.path())
                    .bind("sha256", copy.sha256())
                    .bind("generation", copy.generation())
                    .add();
        }
        int[] _ = rows.execute();
    }

    /** All copies, including those of files that are deleted. */
    public List<WorkspaceCopy> list(Transaction tx, ConversationId conversation) {
        return tx.query(ALL)
                .bind("conversation", conversation.value())
                .map((row, _) -> copy(row))
                .list();
    }

    /** All files that a run receives, with a copy or without. */
    List<DispatchedFile> dispatched(Transaction tx, ConversationId conversation, long generation) {
        return dispatched(tx.query(DISPATCHED + OLDEST_FIRST), conversation, generation);
    }

    /** The oldest files that have a copy. */
    List<DispatchedFile> copied(
            Transaction tx, ConversationId conversation, long generation, int limit) {
        return dispatched(tx.query(COPIED).bind("limit", limit), conversation, generation);
    }

    /** One file, if it has a copy. */
    List<DispatchedFile> copied(
            Transaction tx, ConversationId conversation, long generation, FileId file) {
        return dispatched(
                tx.query(COPIED_FILE).bind("file", file.value()), conversation, generation);
    }

    private static List<DispatchedFile> dispatched(
            Query query, ConversationId conversation, long generation) {
        return query.bind("conversation", conversation.value())
                .bind("generation", generation)
                .map(
                        (row, _) ->
                                new DispatchedFile(
                                        new FileId(row.getString(1)),
                                        row.getString(2),
                                        row.getLong(3),
                                        row.getString(4),
                                        row.getString(5),
                                        row.getString(6)))
                .list();
    }

    /** The copy of a file, unless it was removed. */
    Optional<WorkspaceCopy> find(Transaction tx, ConversationId conversation, FileId file) {
        return tx.query(FIND)
                .bind("conversation", conversation.value())
                .bind("file", file.value())
                .map((row, _) -> copy(row))
                .findOne();
    }

    /** Copies of deleted files that are still to be removed. */
    List<WorkspaceCopy> outdated(Transaction tx, ConversationId conversation) {
        return tx.query(OUTDATED)
                .bind("conversation", conversation.value())
                .map((row, _) -> copy(row))
                .list();
    }

    /** Copies of files and versions that the bag no longer lists, removed or not. */
    List<WorkspaceCopy> former(Transaction tx, ConversationId conversation) {
        return tx.query(FORMER)
                .bind("conversation", conversation.value())
                .map((row, _) -> copy(row))
                .list();
    }

    /** Records that the copy of a deleted file was removed, or is changed and stays. */
    void settle(Transaction tx, ConversationId conversation, FileId file, long generation) {
        tx.update(SETTLE)
                .bind("conversation", conversation.value())
                .bind("file", file.value())
                .bind("generation", generation)
                .execute();
    }

    /** Whether {@link #forgetAfter} would change a row. */
    boolean hasAfter(Transaction tx, ConversationId conversation, long generation) {
        return tx.query(ANY_AFTER)
                .bind("conversation", conversation.value())
                .bind("generation", generation)
                .mapTo(Long.class)
                .findOne()
                .isPresent();
    }

    /** Undoes what later turns recorded, since the workspace is restored as it was before them. */
    void forgetAfter(Transaction tx, ConversationId conversation, long generation) {
        setOutOfDate(tx, conversation);
        for (String statement : List.of(FORGET_AFTER, RESTORED_AFTER)) {
            tx.update(statement)
                    .bind("conversation", conversation.value())
                    .bind("generation", generation)
                    .execute();
        }
    }

    void forget(Transaction tx, ConversationId conversation, FileId file) {
        setOutOfDate(tx, conversation);
        tx.update(FORGET)
                .bind("conversation", conversation.value())
                .bind("file", file.value())
                .execute();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        setOutOfDate(tx, conversation);
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    /** A number that grows whenever a file arrives in the bag or goes. */
    long changes(Transaction tx, ConversationId conversation) {
        return tx.query(CHANGES).bind("conversation", conversation.value()).mapTo(Long.class).one();
    }

    /** Whether the bag is as it was when the workspace had all copies. */
    boolean isUpToDate(Transaction tx, ConversationId conversation) {
        return tx.query(UP_TO_DATE)
                .bind("conversation", conversation.value())
                .mapTo(Long.class)
                .findOne()
                .isPresent();
    }

    /** Records that the workspace has the copies of a bag with this number of changes. */
    void setUpToDate(Transaction tx, ConversationId conversation, long changes) {
        tx.update(SET_UP_TO_DATE)
                .bind("conversation", conversation.value())
                .bind("changes", changes)
                .execute();
    }

    private static void setOutOfDate(Transaction tx, ConversationId conversation) {
        tx.update(SET_OUT_OF_DATE).bind("conversation", conversation.value()).execute();
    }

    private static WorkspaceCopy copy(ResultSet row) throws SQLException {
        return new WorkspaceCopy(
                new FileId(row.getString("file_id")),
                row.getString("path"),
                row.getString("sha256"),
                row.getLong("generation"));
    }
}
