package dev.satchel.server.branch;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.snapshot.SnapshotId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Reads to which message of a thread each snapshot of the workspace belongs. */
final class PointStore {
    /**
     * What versions before have stored names no message; its run has the message that it answers.
     */
    private static final String POINTS =
            """
            SELECT s.id, s.number, COALESCE(m.seq, q.seq + 1) AS seq, s.run_id
              FROM snapshot s
              LEFT JOIN message m ON m.conversation_id = s.conversation_id AND m.id = s.message_id
              LEFT JOIN run r ON r.id = s.run_id AND s.message_id IS NULL
              LEFT JOIN message q ON q.conversation_id = s.conversation_id AND q.id = r.user_message_id
             WHERE s.conversation_id = :conversation
             ORDER BY s.number
            """;

    /**
     * A snapshot.
     *
     * @param message its number; 0 if that is not known
     * @param isOfRun whether a run has made it
     */
    record Point(SnapshotId snapshot, long number, long message, boolean isOfRun) {}

    /** Oldest first. */
    List<Point> points(Transaction tx, ConversationId conversation) {
        return tx.query(POINTS)
                .bind("conversation", conversation.value())
                .map((row, _) -> point(row))
                .list();
    }

    private static Point point(ResultSet row) throws SQLException {
        return new Point(
                new SnapshotId(row.getString("id")),
                row.getLong("number"),
                row.getLong("seq"),
                row.getString("run_id") != null);
    }
}
