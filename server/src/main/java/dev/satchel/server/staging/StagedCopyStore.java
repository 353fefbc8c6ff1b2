package dev.satchel.server.staging;

import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import java.util.List;

/** Rows of the copies of assets in workspaces. */
public final class StagedCopyStore implements ConversationData {
    private static final String PUT =
            """
            INSERT INTO staged_copy (conversation_id, path, size, sha256, staged_at)
            VALUES (:conversation, :path, :size, :sha256, :now)
            ON CONFLICT (conversation_id, path) DO UPDATE
               SET size = excluded.size, sha256 = excluded.sha256, staged_at = excluded.staged_at
            """;

    private static final String EXPIRED =
            """
            SELECT path, size, sha256, staged_at FROM staged_copy
             WHERE conversation_id = :conversation AND staged_at < :before AND path > :after
             ORDER BY path LIMIT 500
            """;

    private static final String REMOVE =
            """
            DELETE FROM staged_copy
             WHERE conversation_id = :conversation AND path = :path AND staged_at = :staged
            """;

    private static final String COPY =
            """
            INSERT INTO staged_copy (conversation_id, path, size, sha256, staged_at)
            SELECT :to, path, size, sha256, staged_at FROM staged_copy
             WHERE conversation_id = :from
            """;

    private static final String ERASE =
            "DELETE FROM staged_copy WHERE conversation_id = :conversation";

    /** A copy as it was made. */
    record StagedCopy(String path, long size, String sha256, long stagedAt) {}

    void put(Transaction tx, ConversationId conversation, StagedCopy copy) {
        tx.update(PUT)
                .bind("conversation", conversation.value())
                .bind("path", copy.path())
                .bind("size", copy.size())
                .bind("sha256", copy.sha256())
                .bind("now", copy.stagedAt())
                .execute();
    }

    /** A page of the copies that are older, after a path. */
    List<StagedCopy> expired(
            Transaction tx, ConversationId conversation, long before, String after) {
        return tx.query(EXPIRED)
                .bind("after", after)
                .bind("conversation", conversation.value())
                .bind("before", before)
                .map(
                        (row, _) ->
                                new StagedCopy(
                                        row.getString("path"),
                                        row.getLong("size"),
                                        row.getString("sha256"),
                                        row.getLong("staged_at")))
                .list();
    }

    /** Leaves those that have been staged again. */
    void remove(Transaction tx, ConversationId conversation, List<StagedCopy> copies) {
        for (StagedCopy copy : copies) {
            tx.update(REMOVE)
                    .bind("conversation", conversation.value())
                    .bind("path", copy.path())
                    .bind("staged", copy.stagedAt())
                    .execute();
        }
    }

    /** For a conversation that gets the workspace of another. */
    public void copy(Transaction tx, ConversationId from, ConversationId to) {
        tx.update(COPY).bind("from", from.value()).bind("to", to.value()).execute();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }
}
