package dev.satchel.server.bag;

import dev.satchel.protocol.NotHandedOver;
import dev.satchel.protocol.RunConfig.KnownOutput;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.run.Run;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * Rows of the files that runs handed in, as versions of paths, and of those that they could not.
 */
public final class OutputStore {
    /** The folder of the workspace from which runs hand in files. */
    static final String FOLDER = "assets/";

    private static final String ROWS = "SELECT * FROM bag_file" + BagContentStore.IN_BAG;

    private static final String HANDED_IN =
            """
            SELECT path, size, sha256 FROM bag_file
             WHERE conversation_id = :conversation AND source = 'sandbox'
               AND arrived_at IS NOT NULL AND superseded_by IS NULL
            """;

    private static final String LEFT_OUT =
            "SELECT DISTINCT path, size FROM not_handed_over WHERE conversation_id = :conversation";

    private static final String LAST_STATUS =
            """
            SELECT status FROM run
             WHERE conversation_id = :conversation AND generation < :generation
             ORDER BY generation DESC
             LIMIT 1
            """;

    private static final String REMEMBER =
            """
            INSERT INTO not_handed_over (run_id, path, conversation_id, size, reason)
            VALUES (:run, :path, :conversation, :size, :reason)
            ON CONFLICT DO NOTHING
            """;

    private static final String REMEMBER_ONCE =
            """
            INSERT INTO not_handed_over (run_id, path, conversation_id, size, reason)
            SELECT :run, :path, CAST(:conversation AS TEXT), :size, :reason
             WHERE NOT EXISTS (SELECT 1 FROM not_handed_over
                                WHERE conversation_id = :conversation AND path = :path AND size = :size)
            ON CONFLICT DO NOTHING
            """;

    private static final String OF_RUN =
            "SELECT path, size, reason FROM not_handed_over WHERE run_id = :run ORDER BY path";

    private static final String ERASE =
            "DELETE FROM not_handed_over WHERE conversation_id = :conversation";

    /** A name and a path of a bag, also of a deleted file. */
    record Row(
            FileId id,
            String name,
            String nameKey,
            String path,
            String sha256,
            boolean fromSandbox,
            boolean arrived,
            boolean deleted,
            boolean superseded) {}

    List<Row> rows(Transaction tx, BagId bag) {
        return BagContentStore.bind(tx.query(ROWS), bag).map((row, _) -> row(row)).list();
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                new FileId(row.getString("id")),
                row.getString("name"),
                row.getString("name_key"),
                row.getString("path"),
                row.getString("sha256"),
                row.getString("source").equals(BagFile.FROM_SANDBOX),
                row.getString("arrived_at") != null,
                row.getString("deleted_at") != null,
                row.getString("superseded_by") != null);
    }

    /**
     * The files of earlier runs. After a run that did not succeed they have hashes: it may have
     * changed files without handing them in.
     */
    List<KnownOutput> known(Transaction tx, Run run) {
        String id = run.conversation().value();
        boolean complete =
                tx.query(LAST_STATUS)
                        .bind("conversation", id)
                        .bind("generation", run.generation())
                        .mapTo(String.class)
                        .findOne()
                        .map("succeeded"::equals)
                        .orElse(true);
        List<KnownOutput> known = new ArrayList<>();
        tx.query(HANDED_IN)
                .bind("conversation", id)
                .map((row, _) -> handedIn(row, complete))
                .forEach(known::add);
        tx.query(LEFT_OUT)
                .bind("conversation", id)
                .map((row, _) -> leftOut(row))
                .forEach(known::add);
        return known;
    }

    private static KnownOutput leftOut(ResultSet row) throws SQLException {
        String path = row.getString("path");
        return new KnownOutput(
                path.startsWith(FOLDER) ? path.substring(FOLDER.length()) : path,
                row.getLong("size"),
                null,
                true);
    }

    private static KnownOutput handedIn(ResultSet row, boolean complete) throws SQLException {
        return new KnownOutput(
                row.getString("path"),
                row.getLong("size"),
                complete ? null : row.getString("sha256"),
                false);
    }

    /** Stores what a runner names; a path that is stored for the run already stays as it is. */
    public void remember(Transaction tx, Run run, List<NotHandedOver> files) {
        remember(tx, REMEMBER, run, files);
    }

    /** Stores what this server skips, unless an earlier run told it: the same file came again. */
    void rememberSkipped(Transaction tx, Run run, List<NotHandedOver> files) {
        remember(tx, REMEMBER_ONCE, run, files);
    }

    private static void remember(Transaction tx, String sql, Run run, List<NotHandedOver> files) {
        PreparedBatch batch = tx.batch(sql);
        for (NotHandedOver file : files) {
            batch.bind("run", run.id().value())
                    .bind("path", file.path())
                    .bind("conversation", run.conversation().value())
                    .bind("size", file.size())
                    .bind("reason", file.reason())
                    .add();
        }
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    public List<NotHandedOver> notHandedOver(Transaction tx, RunId run) {
        return tx.query(OF_RUN)
                .bind("run", run.value())
                .map(
                        (row, _) ->
                                new NotHandedOver(
                                        row.getString("path"),
                                        row.getLong("size"),
                                        row.getString("reason")))
                .list();
    }

    void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }
}
