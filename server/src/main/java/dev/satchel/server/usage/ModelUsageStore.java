package dev.satchel.server.usage;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.access.UserStore.PersonData;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/**
 * Rows of calls of models. They are written in the transaction that stores the line of the call, so
 * each call counts exactly once.
 */
public final class ModelUsageStore implements ConversationData, PersonData {
    private static final String INSERT =
            """
            INSERT INTO model_usage (run_id, seq, tenant_id, user_id, conversation_id, agent_id, model, calls, input_tokens,
                                     output_tokens, cache_read_tokens, cache_write_tokens, cost_micros, at)
            VALUES (:run, :seq, :tenant, (SELECT r.user_id FROM run r WHERE r.id = :run), :conversation, :agent, :model, 1, :input,
                    :output, :cacheRead, :cacheWrite, :cost, :at)
            ON CONFLICT (run_id, seq) DO NOTHING
            """;

    private static final String SUMS =
            """
            COALESCE(SUM(calls), 0) AS calls, COALESCE(SUM(input_tokens), 0) AS input_tokens,
            COALESCE(SUM(output_tokens), 0) AS output_tokens,
            COALESCE(SUM(cache_read_tokens), 0) AS cache_read_tokens,
            COALESCE(SUM(cache_write_tokens), 0) AS cache_write_tokens, SUM(cost_micros) AS cost_micros
              FROM model_usage
            """;

    private static final String PERIOD =
            " WHERE tenant_id = :tenant AND (:person IS NULL OR user_id = :person)"
                    + " AND at >= :from AND at < :to";

    static final String TOTAL = "SELECT " + SUMS + PERIOD;

    private static final String LARGEST_FIRST =
            " GROUP BY 1 ORDER BY SUM(cost_micros) DESC NULLS LAST,"
                    + " SUM(input_tokens + output_tokens + cache_read_tokens + cache_write_tokens) DESC, 1"
                    + " LIMIT :limit";

    /** The newest days when there are too many. */
    static final String BY_DAY =
            "SELECT at / 86400000 AS group_key, "
                    + SUMS
                    + PERIOD
                    + " GROUP BY 1 ORDER BY 1 DESC LIMIT :limit";

    static final String BY_MODEL = "SELECT model AS group_key, " + SUMS + PERIOD + LARGEST_FIRST;

    static final String BY_USER = "SELECT user_id AS group_key, " + SUMS + PERIOD + LARGEST_FIRST;

    /**
     * The conversation of a headless run has the id of the run and is no chat. The chats of others
     * are not named.
     */
    static final String BY_CHAT =
            "SELECT CASE WHEN user_id = :user THEN NULLIF(conversation_id, run_id) END AS group_key, "
                    + SUMS
                    + PERIOD
                    + LARGEST_FIRST;

    static final String BY_AGENT = "SELECT agent_id AS group_key, " + SUMS + PERIOD + LARGEST_FIRST;

    static final String OF_RUN = "SELECT " + SUMS + " WHERE run_id = :run";

    static final String OF_CONVERSATION =
            "SELECT " + SUMS + " WHERE conversation_id = :conversation";

    /** One row for each day, model and agent, which no longer names the chat or its runs. */
    private static final String ADD_UP =
            """
            INSERT INTO model_usage (run_id, seq, tenant_id, user_id, agent_id, model, calls, input_tokens,
                                     output_tokens, cache_read_tokens, cache_write_tokens, cost_micros, at)
            SELECT :id, ROW_NUMBER() OVER (ORDER BY MIN(at)), tenant_id, user_id, agent_id, model, SUM(calls),
                   SUM(input_tokens), SUM(output_tokens), SUM(cache_read_tokens), SUM(cache_write_tokens),
                   SUM(cost_micros), MIN(at)
              FROM model_usage WHERE conversation_id = :conversation
             GROUP BY tenant_id, user_id, agent_id, model, at / 86400000
            """;

    private static final String ERASE =
            "DELETE FROM model_usage WHERE conversation_id = :conversation";

    private static final String FORGET =
            "UPDATE model_usage SET user_id = NULL WHERE tenant_id = :tenant AND user_id = :user";

    /** A call, and the line that reports it. */
    public record LoggedCall(RunId run, long seq, ModelCallUsage call) {}

    /** A group and its sum; the key is null for calls that belong to none. */
    record Group(@Nullable String key, UsageSum sum) {}

    /** A repeated call of this with the same lines changes nothing. */
    public void insert(Transaction tx, List<LoggedCall> calls) {
        if (calls.isEmpty()) {
            return;
        }
        try (PreparedBatch batch = tx.batch(INSERT)) {
            for (LoggedCall logged : calls) {
                ModelCallUsage call = logged.call();
                AgentId agent = call.agent();
                batch.bind("run", logged.run().value())
                        .bind("seq", logged.seq())
                        .bind("tenant", call.tenant().value())
                        .bind("conversation", call.conversation().value())
                        .bind("agent", agent == null ? null : agent.value())
                        .bind("model", call.model())
                        .bind("input", call.tokens().input())
                        .bind("output", call.tokens().output())
                        .bind("cacheRead", call.tokens().cacheRead())
                        .bind("cacheWrite", call.tokens().cacheWrite())
                        .bind("cost", call.costMicros())
                        .bind("at", call.at())
                        .add();
            }
            batch.execute();
        }
    }

    public UsageSum ofRun(Transaction tx, RunId run) {
        return tx.query(OF_RUN).bind("run", run.value()).map((row, _) -> sum(row)).one();
    }

    public UsageSum ofConversation(Transaction tx, ConversationId conversation) {
        return tx.query(OF_CONVERSATION)
                .bind("conversation", conversation.value())
                .map((row, _) -> sum(row))
                .one();
    }

    UsageSum total(Transaction tx, Caller caller, UsageQuery query) {
        return of(tx.query(TOTAL), caller)
                .bind("from", query.fromMillis())
                .bind("to", query.toMillis())
                .map((row, _) -> sum(row))
                .one();
    }

    List<Group> groups(Transaction tx, Caller caller, UsageQuery query, int limit) {
        String sql =
                switch (query.groupBy()) {
                    case DAY -> BY_DAY;
                    case MODEL -> BY_MODEL;
                    case USER -> BY_USER;
                    case CHAT -> BY_CHAT;
                    case AGENT -> BY_AGENT;
                };
        Query groups = of(tx.query(sql), caller);
        if (query.groupBy() == UsageQuery.GroupBy.CHAT) {
            groups.bind("user", caller.user().value());
        }
        return groups.bind("from", query.fromMillis())
                .bind("to", query.toMillis())
                .bind("limit", limit)
                .map((row, _) -> new Group(row.getString("group_key"), sum(row)))
                .list();
    }

    /** An owner sees what the tenant has used, another person what they have used themselves. */
    private static Query of(Query query, Caller caller) {
        String person = caller.role() == UserRole.OWNER ? null : caller.user().value();
        return query.bind("tenant", caller.tenant().value()).bind("person", person);
    }

    /** The sums of the tenant stay; what names the chat or its runs is deleted. */
    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ADD_UP)
                .bind("id", UUID.randomUUID().toString())
                .bind("conversation", conversation.value())
                .execute();
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    /** What the person has cost the tenant stays, without the person. */
    @Override
    public int erasePerson(Transaction tx, TenantId tenant, UserId user) {
        return tx.update(FORGET)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .execute();
    }

    private static UsageSum sum(ResultSet row) throws SQLException {
        long cost = row.getLong("cost_micros");
        boolean hasCost = !row.wasNull();
        return new UsageSum(
                row.getLong("calls"),
                row.getLong("input_tokens"),
                row.getLong("output_tokens"),
                row.getLong("cache_read_tokens"),
                row.getLong("cache_write_tokens"),
                hasCost ? cost : null);
    }
}
