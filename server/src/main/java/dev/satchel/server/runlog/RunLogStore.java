package dev.satchel.server.runlog;

import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.RunStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** Rows of the lines that runs have logged. */
public final class RunLogStore implements ConversationData {
    /** A batch that is repeated because the answer of its commit was lost changes nothing. */
    private static final String INSERT =
            """
            INSERT INTO run_line (run_id, seq, type, body, whole)
            VALUES (:run, :seq, :type, :body, :whole)
            ON CONFLICT (run_id, seq) DO NOTHING
            """;

    private static final String LINES =
            """
            SELECT seq, type, body, whole IS NOT NULL AS cut FROM run_line
             WHERE run_id = :run AND seq > :after ORDER BY seq LIMIT :limit
            """;

    private static final String WHOLE =
            "SELECT whole FROM run_line WHERE run_id = :run AND seq = :seq AND whole IS NOT NULL";

    private static final String ERASE =
            """
            DELETE FROM run_line
             WHERE run_id IN (SELECT id FROM run WHERE conversation_id = :conversation)
            """;

    private final RunStore runs;

    public RunLogStore(RunStore runs) {
        this.runs = runs;
    }

    /** A new line, and the whole of it if values of it were cut. */
    record NewLine(RunLogLine line, @Nullable String whole) {}

    /** New lines of one run. */
    record NewLines(RunId run, long generation, List<NewLine> lines) {
        NewLines {
            lines = List.copyOf(lines);
        }
    }

    /**
     * Appends to many runs in two statements, since each is a round trip to PostgreSQL. Returns
     * those that have ended or continue in another generation: their lines are not stored.
     */
    List<NewLines> append(Transaction tx, List<NewLines> batch) {
        List<NewLines> refused = new ArrayList<>();
        List<NewLines> accepted = new ArrayList<>();
        List<Boolean> advanced =
                runs.advance(tx, batch.stream().map(RunLogStore::progress).toList());
        for (int i = 0; i < batch.size(); i++) {
            (advanced.get(i) ? accepted : refused).add(batch.get(i));
        }
        insert(tx, accepted);
        return refused;
    }

    /** The first lines of a run that this transaction creates, or the last of one it settles. */
    public void write(Transaction tx, RunId run, List<RunLogLine> lines) {
        List<NewLine> uncut = lines.stream().map(line -> new NewLine(line, null)).toList();
        insert(tx, List.of(new NewLines(run, 0, uncut)));
        runs.setLastSeq(tx, run, lines.getLast().seq());
    }

    public List<RunLogLine> lines(Transaction tx, RunId run, long after, int limit) {
        return tx.query(LINES)
                .bind("run", run.value())
                .bind("after", after)
                .bind("limit", limit)
                .map(
                        (row, _) ->
                                new RunLogLine(
                                        row.getLong("seq"),
                                        row.getString("type"),
                                        row.getString("body"),
                                        row.getBoolean("cut")))
                .list();
    }

    /** The whole of a line that was cut; one at a time, since each may have some megabytes. */
    Optional<String> whole(Transaction tx, RunId run, long seq) {
        return tx.query(WHOLE)
                .bind("run", run.value())
                .bind("seq", seq)
                .mapTo(String.class)
                .findOne();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    private static RunStore.Progress progress(NewLines lines) {
        return new RunStore.Progress(
                lines.run(), lines.generation(), lines.lines().getLast().line().seq());
    }

    private static void insert(Transaction tx, List<NewLines> all) {
        if (all.isEmpty()) {
            return;
        }
        try (PreparedBatch batch = tx.batch(INSERT)) {
            for (NewLines lines : all) {
                for (NewLine added : lines.lines()) {
                    batch.bind("run", lines.run().value())
                            .bind("seq", added.line().seq())
                            .bind("type", added.line().type())
                            .bind("body", added.line().body())
                            .bind("whole", added.whole())
                            .add();
                }
            }
            batch.execute();
        }
    }
}
