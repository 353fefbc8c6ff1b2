package dev.satchel.server.session;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.Caller;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.SessionStatus;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.RunSetup;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Rows of sessions, beside those of their conversations. */
public final class SessionStore implements ConversationData {
    private static final String SETUP =
            "SELECT setup, config FROM session WHERE conversation_id = :id";

    private static final String ERASE = "DELETE FROM session WHERE conversation_id = :conversation";

    private static final String INSERT =
            """
            INSERT INTO session (conversation_id, agent_id, agent_name, setup, config, model, parent_id, status)
            VALUES (:id, :agent, :agentName, :setup, :config, :model, :parent, :status)
            """;

    private static final String FIND = "SELECT * FROM session WHERE conversation_id = :id";

    private static final String INSERT_IF_ABSENT = INSERT + "ON CONFLICT DO NOTHING";

    /** An ended session stays ended. */
    private static final String SET_STATUS =
            "UPDATE session SET status = :status WHERE conversation_id = :id AND status <> 'ended'";

    private static final String SET_CONFIG =
            """
            UPDATE session SET setup = :setup, config = :config, model = :model WHERE conversation_id = :id
            """;

    private static final String MATCHING =
            """
             FROM conversation c LEFT JOIN session s ON s.conversation_id = c.id
             WHERE c.tenant_id = :tenant AND c.user_id = :user AND c.deleted_at IS NULL AND c.type <> 'run'
               AND (:agent IS NULL OR s.agent_name = :agent)
               AND (:status IS NULL OR COALESCE(s.status, 'active') = :status)
            """;

    private static final String LIST =
            "SELECT c.id"
                    + MATCHING
                    + " ORDER BY c.updated_at DESC, c.id DESC LIMIT :limit OFFSET :offset";

    private static final String COUNT = "SELECT COUNT(*)" + MATCHING;

    private static final String COUNT_ALL =
            """
            SELECT COUNT(*) FROM conversation
             WHERE tenant_id = :tenant AND user_id = :user AND deleted_at IS NULL AND type <> 'run'
            """;

    void insert(Transaction tx, Session session) {
        insert(tx, INSERT, session);
    }

    private static void insert(Transaction tx, String statement, Session session) {
        AgentId agent = session.agentId();
        ConversationId parent = session.parentId();
        tx.update(statement)
                .bind("id", session.conversation().id().value())
                .bind("agent", agent == null ? null : agent.value())
                .bind("agentName", session.agentName())
                .bind("setup", Json.MAPPER.writeValueAsString(session.setup()))
                .bind("config", json(session.config()))
                .bind("model", session.model())
                .bind("parent", parent == null ? null : parent.value())
                .bind("status", session.status().wireName())
                .execute();
    }

    Session find(Transaction tx, Conversation conversation) {
        Optional<Session> found =
                tx.query(FIND)
                        .bind("id", conversation.id().value())
                        .map((row, _) -> session(conversation, row))
                        .findOne();
        return found.orElseGet(() -> Session.plain(conversation));
    }

    /** Adds a row for a chat that has none. */
    void setStatus(Transaction tx, Session session, SessionStatus status) {
        int changed =
                tx.update(SET_STATUS)
                        .bind("id", session.conversation().id().value())
                        .bind("status", status.wireName())
                        .execute();
        if (changed == 0) {
            Session first = session.copy(session.conversation(), status, session.parentId());
            insert(tx, INSERT_IF_ABSENT, first);
        }
    }

    void setConfig(Transaction tx, Session session) {
        tx.update(SET_CONFIG)
                .bind("id", session.conversation().id().value())
                .bind("setup", Json.MAPPER.writeValueAsString(session.setup()))
                .bind("config", json(session.config()))
                .bind("model", session.model())
                .execute();
    }

    private static @Nullable String json(SessionConfig config) {
        return config.isEmpty() ? null : Json.MAPPER.writeValueAsString(config);
    }

    /** The most recently active first. */
    List<ConversationId> list(Transaction tx, Caller caller, SessionQuery query) {
        return of(tx.query(LIST), caller)
                .bind("agent", query.agent())
                .bind("status", query.status())
                .bind("limit", query.limit())
                .bind("offset", query.offset())
                .map((row, _) -> new ConversationId(row.getString("id")))
                .list();
    }

    /** Without a filter an index is counted, and no row of a conversation is read. */
    long count(Transaction tx, Caller caller, SessionQuery query) {
        if (query.agent() == null && query.status() == null) {
            return of(tx.query(COUNT_ALL), caller).mapTo(Long.class).one();
        }
        return of(tx.query(COUNT), caller)
                .bind("agent", query.agent())
                .bind("status", query.status())
                .mapTo(Long.class)
                .one();
    }

    private static Query of(Query query, Caller caller) {
        return query.bind("tenant", caller.tenant().value()).bind("user", caller.user().value());
    }

    /** The agent of a session; empty for a chat that never was one. */
    public Optional<RunSetup> setup(Transaction tx, ConversationId id) {
        return tx.query(SETUP)
                .bind("id", id.value())
                .map((row, _) -> config(row).apply(setup(row)))
                .findOne();
    }

    private static RunSetup setup(ResultSet row) throws SQLException {
        return Json.MAPPER.readValue(row.getString("setup"), RunSetup.class);
    }

    private static SessionConfig config(ResultSet row) throws SQLException {
        String config = row.getString("config");
        return config == null
                ? SessionConfig.NONE
                : Json.MAPPER.readValue(config, SessionConfig.class);
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    private static Session session(Conversation conversation, ResultSet row) throws SQLException {
        String agent = row.getString("agent_id");
        String parent = row.getString("parent_id");
        return new Session(
                conversation,
                agent == null ? null : new AgentId(agent),
                row.getString("agent_name"),
                setup(row),
                config(row),
                row.getString("model"),
                parent == null ? null : new ConversationId(parent),
                SessionStatus.of(row.getString("status")));
    }
}
