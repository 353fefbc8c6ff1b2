package dev.satchel.server.run;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.RunStore.EndedRun;
import dev.satchel.server.run.RunStore.LogState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.mapper.RowMapper;

/** Reads rows of runs. */
final class RunReadStore {
    private static final String ENDED =
            """
            SELECT id, ended_at FROM run
             WHERE log_state = :state AND log_state < 2 AND ended_at < :before
               AND (ended_at > :ended OR (ended_at = :ended AND id > :id))
             ORDER BY ended_at, id LIMIT 500
            """;

    /** Few runs have not ended. */
    private static final String NEED_SKILL =
            """
            SELECT COUNT(*) FROM run
             WHERE status IN ('running', 'waiting') AND tenant_id = :tenant AND setup LIKE :id
            """;

    /** {@code blocked}: the person was removed, or may only read now. */
    private static final String CONTINUABILITY =
            """
            SELECT r.continuations, r.journal_full, r.drains, r.stop_reason,
                   (SELECT COUNT(*) FROM app_user u
                     WHERE u.tenant_id = r.tenant_id AND u.id = r.user_id
                       AND (u.removed_at IS NOT NULL OR u.role = 'viewer')) AS blocked
              FROM run r WHERE r.id = :id
            """;

    static final RowMapper<Run> MAPPER = (row, _) -> run(row);

    private static final RowMapper<Continuability> CONTINUABILITY_MAPPER =
            (row, _) ->
                    new Continuability(
                            row.getInt("continuations"),
                            row.getBoolean("journal_full"),
                            row.getBoolean("drains"),
                            row.getString("stop_reason"),
                            row.getLong("blocked") > 0);

    Continuability continuability(Transaction tx, RunId run) {
        return tx.query(CONTINUABILITY).bind("id", run.value()).map(CONTINUABILITY_MAPPER).one();
    }

    List<EndedRun> ended(Transaction tx, LogState state, long before, Optional<EndedRun> after) {
        return tx.query(ENDED)
                .bind("state", state.code)
                .bind("before", before)
                .bind("ended", after.map(EndedRun::endedAt).orElse(-1L))
                .bind("id", after.map(run -> run.id().value()).orElse(""))
                .map(
                        (row, _) ->
                                new EndedRun(
                                        new RunId(row.getString("id")), row.getLong("ended_at")))
                .list();
    }

    private static Run run(ResultSet row) throws SQLException {
        String message = row.getString("user_message_id");
        String agent = row.getString("agent_id");
        long endedAt = row.getLong("ended_at");
        boolean running = row.wasNull();
        return new Run(
                new RunId(row.getString("id")),
                new TenantId(row.getString("tenant_id")),
                new ConversationId(row.getString("conversation_id")),
                message == null ? null : new MessageId(message),
                agent == null ? null : new AgentId(agent),
                row.getLong("generation"),
                row.getString("prompt"),
                Json.MAPPER.readValue(row.getString("setup"), RunSetup.class),
                RunStatus.of(row.getString("status")),
                new ServerProcessId(row.getString("owner")),
                row.getLong("lease_until"),
                row.getLong("last_seq"),
                row.getLong("started_at"),
                running ? null : endedAt,
                row.getInt("attempt"),
                row.getLong("first_generation"));
    }

    static boolean needSkill(Transaction tx, TenantId tenant, String versionId) {
        return tx.query(NEED_SKILL)
                        .bind("tenant", tenant.value())
                        .bind("id", "%\"" + versionId + "\"%")
                        .mapTo(Long.class)
                        .one()
                > 0;
    }
}
