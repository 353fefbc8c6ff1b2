package dev.satchel.server.agent;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import java.util.Optional;

/** What the chats have chosen, and the default agents of the tenants. */
public final class ChatAgentStore implements ConversationData {
    private static final String FIND = "SELECT * FROM chat_agent WHERE conversation_id = :id";

    private static final String SAVE =
            """
            INSERT INTO chat_agent (conversation_id, agent_id, model) VALUES (:id, :agent, :model)
            ON CONFLICT (conversation_id) DO UPDATE SET agent_id = excluded.agent_id, model = excluded.model
            """;

    private static final String ERASE = "DELETE FROM chat_agent WHERE conversation_id = :id";

    private static final String FIND_DEFAULT =
            "SELECT agent_id FROM default_agent WHERE tenant_id = :tenant";

    private static final String SAVE_DEFAULT =
            """
            INSERT INTO default_agent (tenant_id, agent_id) VALUES (:tenant, :agent)
            ON CONFLICT (tenant_id) DO UPDATE SET agent_id = excluded.agent_id
            """;

    private static final String CLEAR_DEFAULT =
            "DELETE FROM default_agent WHERE tenant_id = :tenant";

    /** What the messages of a conversation named last. */
    public AgentChoice find(Transaction tx, ConversationId conversation) {
        return tx.query(FIND)
                .bind("id", conversation.value())
                .map(
                        (row, _) -> {
                            String agent = row.getString("agent_id");
                            return new AgentChoice(
                                    agent == null ? null : new AgentId(agent),
                                    row.getString("model"));
                        })
                .findOne()
                .orElse(AgentChoice.NONE);
    }

    public void save(Transaction tx, ConversationId conversation, AgentChoice choice) {
        AgentId agent = choice.agent();
        tx.update(SAVE)
                .bind("id", conversation.value())
                .bind("agent", agent == null ? null : agent.value())
                .bind("model", choice.model())
                .execute();
    }

    /** The agent of chats that name none; it may be deleted. */
    public Optional<AgentId> findDefault(Transaction tx, TenantId tenant) {
        return tx.query(FIND_DEFAULT)
                .bind("tenant", tenant.value())
                .mapTo(String.class)
                .map(AgentId::new)
                .findOne();
    }

    void saveDefault(Transaction tx, TenantId tenant, AgentId agent) {
        tx.update(SAVE_DEFAULT)
                .bind("tenant", tenant.value())
                .bind("agent", agent.value())
                .execute();
    }

    void clearDefault(Transaction tx, TenantId tenant) {
        tx.update(CLEAR_DEFAULT).bind("tenant", tenant.value()).execute();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("id", conversation.value()).execute();
    }
}
