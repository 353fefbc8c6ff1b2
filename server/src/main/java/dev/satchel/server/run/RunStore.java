package dev.satchel.server.run;

import dev.satchel.server.conversation.RunId;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jdbi.v3.core.statement.PreparedBatch;
import tools.jackson.core.type.TypeReference;

/**
 * Rows of runs and their lines. Whoever writes for a run must still hold it: same generation, still
 * running.
 */
public final class RunStore {
    private static final String INSERT =
            """
            INSERT INTO run (id, tenant_id, conversation_id, user_message_id, agent_id, generation, prompt, setup,
                             bag_file_ids, status, owner, lease_until, last_seq, started_at)
            VALUES (:id, :tenant, :conversation, :message, :agent, :generation, :prompt, :setup,
                    :files, 'running', :owner, :until, :seq, :now)
            """;

    private static final String FIND = "SELECT * FROM run WHERE id = :id";

    /** With its conversation goes every way to read a run. */
    private static final String FIND_READABLE =
            """
            SELECT * FROM run
             WHERE id = :id AND tenant_id = :tenant
               AND NOT EXISTS (SELECT 1 FROM conversation
                                WHERE conversation.id = run.conversation_id
                                  AND conversation.deleted_at IS NOT NULL)
            """;

    private static final String LATEST =
            """
            SELECT * FROM run WHERE conversation_id = :conversation
             ORDER BY generation DESC LIMIT 1
            """;

    private static final String FROM =
            """
            SELECT * FROM run WHERE conversation_id = :conversation AND generation >= :generation
             ORDER BY generation LIMIT :limit
            """;

    private static final String EXPIRED =
            "SELECT * FROM run WHERE status = 'running' AND lease_until < :now LIMIT 100";

    private static final String RENEW =
            """
            UPDATE run SET lease_until = :until
             WHERE id = :id AND generation = :generation AND owner = :owner AND status = 'running'
            """;

    private static final String ASK_TO_STOP =
            """
            UPDATE run SET stop_reason = :reason
             WHERE id = :id AND generation = :generation AND status = 'running' AND stop_reason IS NULL
            """;

    private static final String ASKED_TO_STOP =
            """
            SELECT id, stop_reason FROM run
             WHERE status = 'running' AND owner = :owner AND stop_reason IS NOT NULL
            """;

    private static final String HOLD =
            """
            UPDATE run SET last_seq = last_seq
             WHERE id = :id AND generation = :generation AND status = 'running'
            """;

    /** Claims the numbers up to {@code seq}, and with them the right to write. */
    private static final String ADVANCE =
            """
            UPDATE run SET last_seq = :seq
             WHERE id = :id AND generation = :generation AND status = 'running' AND last_seq <= :seq
            """;

    /** A repeated batch, after a commit whose answer was lost, changes nothing. */
    private static final String INSERT_LINE =
            """
            INSERT INTO run_line (run_id, seq, type, body) VALUES (:run, :seq, :type, :body)
            ON CONFLICT (run_id, seq) DO NOTHING
            """;

    private static final String LINES =
            "SELECT seq, type, body FROM run_line WHERE run_id = :run AND seq > :after ORDER BY seq"
                    + " LIMIT :limit";

    private static final String SETTLE =
            """
            UPDATE run SET status = :status, ended_at = :now
             WHERE id = :id AND generation = :generation AND status = 'running'
            RETURNING last_seq
            """;

    private static final String LAST_SEQ = "UPDATE run SET last_seq = :seq WHERE id = :id";

    private static final TypeReference<List<String>> STRINGS = new TypeReference<>() {};

    public void insert(Transaction tx, Run run) {
        ConversationId conversation = run.conversation();
        MessageId message = run.userMessageId();
        AgentId agent = run.agentId();
        tx.update(INSERT)
                .bind("id", run.id().value())
                .bind("tenant", run.tenant().value())
                .bind("conversation", conversation == null ? null : conversation.value())
                .bind("message", message == null ? null : message.value())
                .bind("agent", agent == null ? null : agent.value())
                .bind("generation", run.generation())
                .bind("prompt", run.prompt())
                .bind("setup", Json.MAPPER.writeValueAsString(run.setup()))
                .bind(
                        "files",
                        Json.MAPPER.writeValueAsString(
                                run.bagFileIds().stream().map(FileId::value).toList()))
                .bind("owner", run.owner().value())
                .bind("until", run.leaseUntil())
                .bind("seq", run.lastSeq())
                .bind("now", run.startedAt())
                .execute();
    }

    public Optional<Run> find(Transaction tx, RunId id) {
        return tx.query(FIND).bind("id", id.value()).map((row, _) -> run(row)).findOne();
    }

    /** A run as its tenant may see it: not one of a deleted conversation. */
    public Optional<Run> findReadable(Transaction tx, TenantId tenant, RunId id) {
        return tx.query(FIND_READABLE)
                .bind("id", id.value())
                .bind("tenant", tenant.value())
                .map((row, _) -> run(row))
                .findOne();
    }

    public Optional<Run> latest(Transaction tx, ConversationId conversation) {
        return tx.query(LATEST)
                .bind("conversation", conversation.value())
                .map((row, _) -> run(row))
                .findOne();
    }

    /** The runs of a conversation from a generation on, oldest first. */
    public List<Run> from(Transaction tx, ConversationId conversation, long generation, int limit) {
        return tx.query(FROM)
                .bind("conversation", conversation.value())
                .bind("generation", generation)
                .bind("limit", limit)
                .map((row, _) -> run(row))
                .list();
    }

    /** Runs whose owner has not been heard of for too long. */
    public List<Run> expired(Transaction tx, long now) {
        return tx.query(EXPIRED).bind("now", now).map((row, _) -> run(row)).list();
    }

    /** False when the run is no longer ours. */
    public boolean renew(Transaction tx, Run run, long until) {
        return tx.update(RENEW)
                        .bind("id", run.id().value())
                        .bind("generation", run.generation())
                        .bind("owner", run.owner().value())
                        .bind("until", until)
                        .execute()
                == 1;
    }

    /** Leaves word for the server that runs it; the first reason stays. */
    public void askToStop(Transaction tx, Run run, String reason) {
        tx.update(ASK_TO_STOP)
                .bind("id", run.id().value())
                .bind("generation", run.generation())
                .bind("reason", reason)
                .execute();
    }

    /** The runs of an owner that somebody wants stopped, and why. */
    public Map<RunId, String> askedToStop(Transaction tx, ServerProcessId owner) {
        return tx.query(ASKED_TO_STOP)
                .bind("owner", owner.value())
                .map(
                        (row, _) ->
                                Map.entry(
                                        new RunId(row.getString("id")),
                                        row.getString("stop_reason")))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * Whether the run is still running in its generation; keeps it so until the transaction ends.
     */
    public boolean hold(Transaction tx, Run run) {
        return tx.update(HOLD)
                        .bind("id", run.id().value())
                        .bind("generation", run.generation())
                        .execute()
                == 1;
    }

    /** Lines for one run from the one who runs it. */
    public record NewLines(RunId run, long generation, List<RunLogLine> lines) {
        public NewLines {
            lines = List.copyOf(lines);
        }
    }

    /**
     * Appends to many runs in two statements, for each is a way to PostgreSQL and back. Gives those
     * that are no longer held by their generation: of these nothing is written.
     */
    public List<NewLines> append(Transaction tx, List<NewLines> batch) {
        List<NewLines> refused = new ArrayList<>();
        List<NewLines> held = new ArrayList<>();
        int[] advanced = advance(tx, batch);
        for (int i = 0; i < advanced.length; i++) {
            (advanced[i] == 1 ? held : refused).add(batch.get(i));
        }
        insertLines(tx, held);
        return refused;
    }

    private static int[] advance(Transaction tx, List<NewLines> batch) {
        try (PreparedBatch statements = tx.batch(ADVANCE)) {
            for (NewLines lines : batch) {
                statements
                        .bind("id", lines.run().value())
                        .bind("generation", lines.generation())
                        .bind("seq", lines.lines().getLast().seq())
                        .add();
            }
            return statements.execute();
        }
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
                                        row.getString("body")))
                .list();
    }

    /** Ends a running run and returns its last number; empty when somebody ended it before. */
    public Optional<Long> settle(
            Transaction tx, RunId run, long generation, RunStatus status, long now) {
        return tx.query(SETTLE)
                .bind("id", run.value())
                .bind("generation", generation)
                .bind("status", status.wireName())
                .bind("now", now)
                .mapTo(Long.class)
                .findOne();
    }

    /**
     * The closing lines of a run that this very transaction has settled, or the first of one it
     * made.
     */
    public void writeLines(Transaction tx, RunId run, List<RunLogLine> lines) {
        insertLines(tx, run, lines);
        tx.update(LAST_SEQ).bind("id", run.value()).bind("seq", lines.getLast().seq()).execute();
    }

    private static void insertLines(Transaction tx, RunId run, List<RunLogLine> lines) {
        insertLines(tx, List.of(new NewLines(run, 0, lines)));
    }

    private static void insertLines(Transaction tx, List<NewLines> all) {
        if (all.isEmpty()) {
            return;
        }
        try (PreparedBatch batch = tx.batch(INSERT_LINE)) {
            for (NewLines lines : all) {
                for (RunLogLine line : lines.lines()) {
                    batch.bind("run", lines.run().value())
                            .bind("seq", line.seq())
                            .bind("type", line.type())
                            .bind("body", line.body())
                            .add();
                }
            }
            batch.execute();
        }
    }

    private static Run run(ResultSet row) throws SQLException {
        String conversation = row.getString("conversation_id");
        String message = row.getString("user_message_id");
        String agent = row.getString("agent_id");
        long endedAt = row.getLong("ended_at");
        boolean running = row.wasNull();
        return new Run(
                new RunId(row.getString("id")),
                new TenantId(row.getString("tenant_id")),
                conversation == null ? null : new ConversationId(conversation),
                message == null ? null : new MessageId(message),
                agent == null ? null : new AgentId(agent),
                row.getLong("generation"),
                row.getString("prompt"),
                Json.MAPPER.readValue(row.getString("setup"), RunSetup.class),
                Json.MAPPER.readValue(row.getString("bag_file_ids"), STRINGS).stream()
                        .map(FileId::new)
                        .toList(),
                RunStatus.of(row.getString("status")),
                new ServerProcessId(row.getString("owner")),
                row.getLong("lease_until"),
                row.getLong("last_seq"),
                row.getLong("started_at"),
                running ? null : endedAt);
    }
}
