package dev.satchel.server.run;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.node.NodeId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Update;

/** Rows of runs. A write for a run counts only while the run is running in its generation. */
public final class RunStore implements ConversationData {
    private static final String INSERT =
            """
            INSERT INTO run (id, tenant_id, user_id, conversation_id, user_message_id, agent_id, generation, prompt, setup,
                             first_generation, status, owner, lease_until, last_seq, started_at)
            VALUES (:id, :tenant, (SELECT c.user_id FROM conversation c WHERE c.id = :conversation),
                    :conversation, :message, :agent, :generation, :prompt, :setup,
                    :first, 'running', :owner, :until, :seq, :now)
            """;

    private static final String FIND = "SELECT * FROM run WHERE id = :id";

    /** The runs of a deleted conversation cannot be read. */
    private static final String FIND_READABLE =
            """
            SELECT * FROM run
             WHERE id = :id AND tenant_id = :tenant AND user_id = :user
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
            SELECT * FROM run WHERE conversation_id = :conversation AND first_generation >= :generation
             ORDER BY first_generation LIMIT :limit
            """;

    private static final String EXPIRED =
            """
            SELECT * FROM run WHERE status = 'running' AND lease_until < :now AND id > :after
             ORDER BY id LIMIT 100
            """;

    private static final String COUNT_RUNNING =
            "SELECT COUNT(*) FROM run WHERE status = 'running' AND tenant_id = :tenant";

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

    /** Reserves the numbers up to {@code seq}; refused for a run that has ended or moved on. */
    private static final String ADVANCE =
            """
            UPDATE run SET last_seq = :seq
             WHERE id = :id AND generation = :generation AND status = 'running' AND last_seq <= :seq
            """;

    private static final String SETTLE =
            """
            UPDATE run SET status = :status, ended_at = :now
             WHERE id = :id AND generation = :generation AND status IN ('running', 'waiting')
            RETURNING last_seq
            """;

    private static final String PARK =
            """
            UPDATE run SET status = 'waiting', lease_until = 0, stop_reason = NULL
             WHERE id = :id AND generation = :generation AND status = 'running'
            RETURNING last_seq
            """;

    private static final String HOLD_WAITING =
            "UPDATE run SET last_seq = last_seq WHERE id = :id AND status = 'waiting'";
    private static final String END_JOURNAL =
            "UPDATE run SET journal_full = 1 WHERE id = :id AND generation = :generation";

    private static final String LAST_SEQ = "UPDATE run SET last_seq = :seq WHERE id = :id";

    /** Of all processes that want to continue the run, one gets it. */
    private static final String CONTINUE =
            """
            UPDATE run SET generation = :next, attempt = attempt + 1, continuations = continuations + :lost,
                           owner = :owner, lease_until = :until, status = 'running', stop_reason = NULL,
                           waits_for = NULL, drains = 0
             WHERE id = :id AND generation = :generation AND status IN ('running', 'waiting')
            """;

    /** Only of a run that its process still has. */
    private static final String RELEASE =
            """
            UPDATE run SET lease_until = :until
             WHERE id = :id AND generation = :generation AND status = 'running'
            """;

    private static final String DRAIN =
            "UPDATE run SET drains = 1 WHERE owner = :owner AND status = 'running' AND waits_for IS NULL";

    private static final String FORWARD = "UPDATE run SET waits_for = :node WHERE id = :id";

    private static final String FORWARDED_TO =
            "SELECT id FROM run WHERE waits_for = :node AND status = 'running' ORDER BY started_at";

    /** Of all processes that want the run, one gets it. */
    private static final String TAKE_FORWARDED =
            """
            UPDATE run SET waits_for = NULL, owner = :owner, lease_until = :until
             WHERE id = :id AND waits_for = :node AND status = 'running'
            """;

    private static final String ERASE = "DELETE FROM run WHERE conversation_id = :conversation";

    private static final String SET_LOG_STATE =
            "UPDATE run SET log_state = :state WHERE id = :id AND log_state < :state";

    private final RunReadStore reading = new RunReadStore();

    public void insert(Transaction tx, Run run) {
        MessageId message = run.userMessageId();
        AgentId agent = run.agentId();
        tx.update(INSERT)
                .bind("id", run.id().value())
                .bind("tenant", run.tenant().value())
                .bind("conversation", run.conversation().value())
                .bind("message", message == null ? null : message.value())
                .bind("agent", agent == null ? null : agent.value())
                .bind("generation", run.generation())
                .bind("first", run.firstGeneration())
                .bind("prompt", run.prompt())
                .bind("setup", Json.MAPPER.writeValueAsString(run.setup()))
                .bind("owner", run.owner().value())
                .bind("until", run.leaseUntil())
                .bind("seq", run.lastSeq())
                .bind("now", run.startedAt())
                .execute();
    }

    /** Whether a run that has not ended uses this version of a skill. */
    public boolean needSkill(Transaction tx, TenantId tenant, String versionId) {
        return RunReadStore.needSkill(tx, tenant, versionId);
    }

    public Optional<Run> find(Transaction tx, RunId id) {
        return tx.query(FIND).bind("id", id.value()).map(RunReadStore.MAPPER).findOne();
    }

    /** A run as its person may see it: not one of a deleted conversation. */
    public Optional<Run> findReadable(Transaction tx, Caller caller, RunId id) {
        return tx.query(FIND_READABLE)
                .bind("id", id.value())
                .bind("tenant", caller.tenant().value())
                .bind("user", caller.user().value())
                .map(RunReadStore.MAPPER)
                .findOne();
    }

    public Optional<Run> latest(Transaction tx, ConversationId conversation) {
        return tx.query(LATEST)
                .bind("conversation", conversation.value())
                .map(RunReadStore.MAPPER)
                .findOne();
    }

    /** The runs of a conversation that began in a generation or later, oldest first. */
    public List<Run> from(Transaction tx, ConversationId conversation, long generation, int limit) {
        return tx.query(FROM)
                .bind("conversation", conversation.value())
                .bind("generation", generation)
                .bind("limit", limit)
                .map(RunReadStore.MAPPER)
                .list();
    }

    /** How many runs of a tenant are executed or wait for a sandbox. */
    public int countRunning(Transaction tx, TenantId tenant) {
        return tx.query(COUNT_RUNNING).bind("tenant", tenant.value()).mapTo(Integer.class).one();
    }

    /** A page of the runs whose lease has expired, after the id of another run. */
    public List<Run> expired(Transaction tx, long now, String after) {
        return tx.query(EXPIRED)
                .bind("now", now)
                .bind("after", after)
                .map(RunReadStore.MAPPER)
                .list();
    }

    /** False when the run belongs to another process or has ended. */
    public boolean renew(Transaction tx, Run run, long until) {
        return tx.update(RENEW)
                        .bind("id", run.id().value())
                        .bind("generation", run.generation())
                        .bind("owner", run.owner().value())
                        .bind("until", until)
                        .execute()
                == 1;
    }

    /** Asks the process that executes the run to stop it; the first reason stays. */
    public void askToStop(Transaction tx, Run run, String reason) {
        tx.update(ASK_TO_STOP)
                .bind("id", run.id().value())
                .bind("generation", run.generation())
                .bind("reason", reason)
                .execute();
    }

    /** The runs of an owner that shall stop, with the reason. */
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

    /** Whether the run is running in its generation; locks its row until the transaction ends. */
    public boolean hold(Transaction tx, Run run) {
        return tx.update(HOLD)
                        .bind("id", run.id().value())
                        .bind("generation", run.generation())
                        .execute()
                == 1;
    }

    /** The number up to which a run of this generation has written lines. */
    public record Progress(RunId run, long generation, long seq) {}

    /** Sets the last line of many runs in one statement; true for each that may still write. */
    public List<Boolean> advance(Transaction tx, List<Progress> batch) {
        try (PreparedBatch statements = tx.batch(ADVANCE)) {
            for (Progress progress : batch) {
                statements
                        .bind("id", progress.run().value())
                        .bind("generation", progress.generation())
                        .bind("seq", progress.seq())
                        .add();
            }
            return Arrays.stream(statements.execute()).mapToObj(count -> count == 1).toList();
        }
    }

    /** Sets the last line of a run that this transaction has created or settled. */
    public void setLastSeq(Transaction tx, RunId run, long seq) {
        tx.update(LAST_SEQ).bind("id", run.value()).bind("seq", seq).execute();
    }

    /**
     * The run waits for people from now on, without a lease; returns its last number, empty when
     * another process has the run or it has ended.
     */
    public Optional<Long> park(Transaction tx, Run run) {
        return tx.query(PARK)
                .bind("id", run.id().value())
                .bind("generation", run.generation())
                .mapTo(Long.class)
                .findOne();
    }

    /** Whether the run waits for people; locks its row until the transaction ends. */
    public boolean holdWaiting(Transaction tx, RunId run) {
        return tx.update(HOLD_WAITING).bind("id", run.value()).execute() == 1;
    }

    /**
     * Ends a running or waiting run and returns its last number; empty when it was ended before.
     */
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

    /** The journal of the run is incomplete from now on: it cannot be continued. */
    public boolean endJournal(Transaction tx, Run run) {
        Update end = tx.update(END_JOURNAL).bind("id", run.id().value());
        return end.bind("generation", run.generation()).execute() == 1;
    }

    /** The next attempt of a run; false when it has ended, or another process continues it. */
    public boolean continueRun(
            Transaction tx, Run run, boolean lost, ServerProcessId owner, long until) {
        Update next = tx.update(CONTINUE).bind("id", run.id().value());
        next.bind("generation", run.generation()).bind("next", run.generation() + 1);
        next.bind("lost", lost ? 1 : 0).bind("owner", owner.value()).bind("until", until);
        return next.execute() == 1;
    }

    /** Gives the lease back, so that the run is continued at once; false when it is taken. */
    public boolean release(Transaction tx, Run run, long until) {
        Update release = tx.update(RELEASE).bind("id", run.id().value()).bind("until", until);
        return release.bind("generation", run.generation()).execute() == 1;
    }

    /** The loops of the runs of an owner shall stop at the next boundary. */
    public void drain(Transaction tx, ServerProcessId owner) {
        tx.update(DRAIN).bind("owner", owner.value()).execute();
    }

    public Continuability continuability(Transaction tx, RunId run) {
        return reading.continuability(tx, run);
    }

    /** Marks a new run as one that another node executes. */
    public void forward(Transaction tx, RunId run, NodeId to) {
        tx.update(FORWARD).bind("id", run.value()).bind("node", to.value()).execute();
    }

    /** The runs that wait for a node. */
    public List<RunId> forwardedTo(Transaction tx, NodeId node) {
        return tx.query(FORWARDED_TO)
                .bind("node", node.value())
                .mapTo(String.class)
                .map(RunId::new)
                .list();
    }

    /** False when another process has taken the run, or it has ended. */
    public boolean takeForwarded(
            Transaction tx, RunId run, NodeId forwardedTo, ServerProcessId owner, long until) {
        Update take = tx.update(TAKE_FORWARDED).bind("id", run.value()).bind("until", until);
        return take.bind("node", forwardedTo.value()).bind("owner", owner.value()).execute() == 1;
    }

    /** A run and when it ended: where a walk through ended runs has stopped. */
    public record EndedRun(RunId id, long endedAt) {}

    /** Runs that ended before a time and whose log is in a state; a page after another run. */
    public List<EndedRun> ended(
            Transaction tx, LogState state, long before, Optional<EndedRun> after) {
        return reading.ended(tx, state, before, after);
    }

    public void setLogState(Transaction tx, RunId run, LogState state) {
        tx.update(SET_LOG_STATE).bind("id", run.value()).bind("state", state.code).execute();
    }

    /** What was removed from the log of a run. */
    public enum LogState {
        AS_WRITTEN(0),
        MERGED(1),
        WITHOUT_TRACE(2);

        final int code;

        LogState(int code) {
            this.code = code;
        }
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }
}
