package dev.satchel.server.runlog;

import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.queue.QueueStore;
import dev.satchel.server.run.RunStore;
import dev.satchel.server.usage.ModelCallUsage;
import dev.satchel.server.usage.ModelUsageStore;
import dev.satchel.server.usage.UsageSum;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /** Ends where the lines are large together, but has at least one. A journal is not loaded. */
    private static final String LINES =
            """
            SELECT seq, type, CASE WHEN type = 'journal' THEN '' ELSE body END AS body,
                   whole IS NOT NULL OR type = 'journal' AS cut, parts FROM run_line
             WHERE run_id = :run AND seq > :after
               AND seq <= (SELECT MAX(seq) FROM
                            (SELECT seq, SUM(size) OVER (ORDER BY seq) - size AS earlier FROM
                              (SELECT seq, CASE WHEN type = 'journal' THEN 0 ELSE OCTET_LENGTH(body) END AS size
                                 FROM run_line
                                WHERE run_id = :run AND seq > :after ORDER BY seq LIMIT :limit) AS sizes) AS sums
                          WHERE earlier < :bytes)
             ORDER BY seq
            """;

    private static final String WHOLE =
            "SELECT COALESCE(whole, body) FROM run_line WHERE run_id = :run AND seq = :seq";

    private static final String JOURNAL_SIZE =
            """
            SELECT COUNT(*) AS lines, COALESCE(SUM(LENGTH(body)), 0) AS characters FROM run_line
             WHERE run_id = :run AND type = 'journal'
            """;

    /** The beginning of the last line, which has its number. */
    private static final String LAST_JOURNAL =
            """
            SELECT SUBSTR(body, 1, 60) FROM run_line WHERE run_id = :run AND type = 'journal'
             ORDER BY seq DESC LIMIT 1
            """;

    private static final Pattern JOURNAL_NUMBER = Pattern.compile("\"n\":(\\d+)");

    /** Ends where the lines are large together, but has at least one. */
    private static final String JOURNAL =
            """
            SELECT body FROM
              (SELECT seq, body, SUM(OCTET_LENGTH(body)) OVER (ORDER BY seq) - OCTET_LENGTH(body) AS earlier
                 FROM (SELECT seq, body FROM run_line WHERE run_id = :run AND type = 'journal'
                        ORDER BY seq LIMIT :limit OFFSET :after) AS lines) AS sums
             WHERE earlier < :bytes
             ORDER BY seq
            """;

    private static final String AFTER_JOURNAL =
            """
            SELECT DISTINCT type FROM run_line
             WHERE run_id = :run
               AND seq > (SELECT MAX(seq) FROM run_line WHERE run_id = :run AND type = 'journal')
            """;

    private static final String DROP_JOURNAL =
            "DELETE FROM run_line WHERE run_id = :run AND type = 'journal'";

    private static final String PIECES =
            """
            SELECT seq, type, body FROM run_line
             WHERE run_id = :run AND seq > :after AND type IN ('delta', 'thinking', 'output') AND parts IS NULL
               AND seq <= (SELECT MAX(seq) FROM
                            (SELECT seq, SUM(size) OVER (ORDER BY seq) - size AS earlier FROM
                              (SELECT seq, OCTET_LENGTH(body) AS size FROM run_line
                                WHERE run_id = :run AND seq > :after AND type IN ('delta', 'thinking', 'output')
                                  AND parts IS NULL
                                ORDER BY seq LIMIT :limit) AS sizes) AS sums
                          WHERE earlier < :bytes)
             ORDER BY seq
            """;

    private static final String MERGE =
            "UPDATE run_line SET body = :body, parts = :parts WHERE run_id = :run AND seq = :last";

    private static final String DROP_MERGED =
            "DELETE FROM run_line WHERE run_id = :run AND seq >= :first AND seq < :last";

    private static final String DROP_MESSAGES =
            "DELETE FROM run_line WHERE run_id = :run AND type = 'log'";

    private static final String DROP_WHOLE =
            "UPDATE run_line SET whole = NULL WHERE run_id = :run AND whole IS NOT NULL";

    private static final String ERASE =
            """
            DELETE FROM run_line
             WHERE run_id IN (SELECT id FROM run WHERE conversation_id = :conversation)
            """;

    /** So many readers at once must not fill the memory. */
    private static final int PAGE_BYTES = 1024 * 1024;

    private static final int JOURNAL_PAGE = 500;
    private static final int JOURNAL_BYTES = 4 * 1024 * 1024;

    private final RunStore runs;
    private final ModelUsageStore usage;
    private final QueueStore queues;

    public RunLogStore(RunStore runs, ModelUsageStore usage, QueueStore queues) {
        this.runs = runs;
        this.usage = usage;
        this.queues = queues;
    }

    /** A new line, the whole of it if values of it were cut, and the call that it reports. */
    record NewLine(RunLogLine line, @Nullable String whole, @Nullable ModelCallUsage call) {
        /** In characters. */
        int length() {
            return line.body().length() + (whole == null ? 0 : whole.length());
        }

        /** The line as readers get it. */
        RunLogLine published() {
            return line.isJournal() ? new RunLogLine(line.seq(), line.type(), "", true) : line;
        }
    }

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
        usage.insert(tx, calls(accepted));
        accepted.forEach(lines -> hear(tx, lines));
        return refused;
    }

    /** A message that the log shows as heard waits no longer. */
    private void hear(Transaction tx, NewLines added) {
        for (NewLine heard : added.lines()) {
            if (heard.line().type().equals("steer")
                    && RunEvent.parse(heard.line()) instanceof RunEvent.Steered steered) {
                queues.heard(tx, added.run(), steered.messageId());
            }
        }
    }

    private static List<ModelUsageStore.LoggedCall> calls(List<NewLines> accepted) {
        List<ModelUsageStore.LoggedCall> calls = new ArrayList<>();
        for (NewLines lines : accepted) {
            for (NewLine added : lines.lines()) {
                ModelCallUsage call = added.call();
                if (call != null) {
                    calls.add(
                            new ModelUsageStore.LoggedCall(lines.run(), added.line().seq(), call));
                }
            }
        }
        return calls;
    }

    /** The sum of the calls that the lines of a run have reported. */
    UsageSum usage(Transaction tx, RunId run) {
        return usage.ofRun(tx, run);
    }

    /** The first lines of a run that this transaction creates, or the last of one it settles. */
    public void write(Transaction tx, RunId run, List<RunLogLine> lines) {
        List<NewLine> uncut = lines.stream().map(line -> new NewLine(line, null, null)).toList();
        insert(tx, List.of(new NewLines(run, 0, uncut)));
        runs.setLastSeq(tx, run, lines.getLast().seq());
    }

    /** A page of lines; it has fewer than {@code limit} if they are large, and none at the end. */
    public List<RunLogLine> lines(Transaction tx, RunId run, long after, int limit) {
        return tx.query(LINES)
                .bind("run", run.value())
                .bind("after", after)
                .bind("limit", limit)
                .bind("bytes", PAGE_BYTES)
                .map((row, _) -> line(row, after))
                .list();
    }

    /** A reader may have received some of the lines that were merged into one. */
    private static RunLogLine line(ResultSet row, long after) throws SQLException {
        long seq = row.getLong("seq");
        String body = row.getString("body");
        String parts = row.getString("parts");
        return new RunLogLine(
                seq,
                row.getString("type"),
                parts == null ? body : new MergedDelta(seq, body, parts).after(after),
                row.getBoolean("cut"));
    }

    /** A page of the lines with text that are not merged yet. */
    List<RunLogLine> pieces(Transaction tx, RunId run, long after, int limit) {
        return tx.query(PIECES)
                .bind("run", run.value())
                .bind("after", after)
                .bind("limit", limit)
                .bind("bytes", PAGE_BYTES)
                .map(
                        (row, _) ->
                                new RunLogLine(
                                        row.getLong("seq"),
                                        row.getString("type"),
                                        row.getString("body")))
                .list();
    }

    /** Replaces consecutive lines by one with the number of the last. */
    void merge(Transaction tx, RunId run, MergedDelta merged) {
        tx.update(MERGE)
                .bind("run", run.value())
                .bind("last", merged.seq())
                .bind("body", merged.body())
                .bind("parts", merged.parts())
                .execute();
        tx.update(DROP_MERGED)
                .bind("run", run.value())
                .bind("first", merged.first())
                .bind("last", merged.seq())
                .execute();
    }

    /** How many lines and characters the journal of a run has. */
    public record JournalSize(long lines, long characters) {}

    JournalSize journalSize(Transaction tx, RunId run) {
        return tx.query(JOURNAL_SIZE)
                .bind("run", run.value())
                .map((row, _) -> new JournalSize(row.getLong("lines"), row.getLong("characters")))
                .one();
    }

    /** The number of the last line of the journal; 0 without one. */
    long lastJournalLine(Transaction tx, RunId run) {
        return tx.query(LAST_JOURNAL)
                .bind("run", run.value())
                .mapTo(String.class)
                .findOne()
                .map(JOURNAL_NUMBER::matcher)
                .filter(Matcher::find)
                .map(number -> Long.parseLong(number.group(1)))
                .orElse(0L);
    }

    /** A page of the journal after so many lines. */
    List<String> journal(Transaction tx, RunId run, long after) {
        return tx.query(JOURNAL)
                .bind("run", run.value())
                .bind("after", after)
                .bind("limit", JOURNAL_PAGE)
                .bind("bytes", JOURNAL_BYTES)
                .mapTo(String.class)
                .list();
    }

    /** The types of the lines after the last line of the journal. */
    List<String> typesAfterJournal(Transaction tx, RunId run) {
        return tx.query(AFTER_JOURNAL).bind("run", run.value()).mapTo(String.class).list();
    }

    /** Deletes what the runner of a run that has ended needs no more. */
    void dropJournal(Transaction tx, RunId run) {
        tx.update(DROP_JOURNAL).bind("run", run.value()).execute();
    }

    /** Deletes what only the trace shows: log messages, and values that are cut elsewhere. */
    void dropTrace(Transaction tx, RunId run) {
        tx.update(DROP_MESSAGES).bind("run", run.value()).execute();
        tx.update(DROP_WHOLE).bind("run", run.value()).execute();
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
