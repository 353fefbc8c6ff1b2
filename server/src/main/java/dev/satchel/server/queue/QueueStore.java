package dev.satchel.server.queue;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.agent.AgentChoice;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * Rows of queued messages. A transaction that writes them locks the row of the conversation first,
 * so that the order is that of the commits.
 */
public final class QueueStore implements ConversationData {
    private static final String IN_CHAT = " WHERE conversation_id = :conversation";

    private static final String ONE = IN_CHAT + " AND message_id = :message";

    private static final String INSERT =
            """
            INSERT INTO queued_message (conversation_id, message_id, position, tenant_id, user_id, run_id, text, attachments,
                                        agent_id, model, steer_run, created_at)
            SELECT :conversation, :message, COALESCE(MAX(position), 0) + 1, :tenant, :user, :run, :text, :attachments,
                   :agent, :model, :steerRun, :now
              FROM queued_message
            """
                    + IN_CHAT;

    private static final String LIST =
            "SELECT * FROM queued_message" + IN_CHAT + " ORDER BY position";

    private static final String FIND_BY_RUN = "SELECT * FROM queued_message WHERE run_id = :run";

    private static final String COUNT = "SELECT COUNT(*) FROM queued_message" + IN_CHAT;

    /** The first message of a chat that is free, unless a person must go on. */
    private static final String DUE =
            """
            SELECT q.* FROM queued_message q JOIN conversation c ON c.id = q.conversation_id
             WHERE q.conversation_id = :conversation AND q.paused = 0
               AND q.position = (SELECT MIN(f.position) FROM queued_message f
                                  WHERE f.conversation_id = :conversation)
               AND c.active_run_id IS NULL AND c.deleted_at IS NULL
            """;

    private static final String CHATS_WITH_DUE =
            """
            SELECT DISTINCT q.conversation_id
              FROM queued_message q JOIN conversation c ON c.id = q.conversation_id
             WHERE q.paused = 0 AND q.conversation_id > :after
               AND c.active_run_id IS NULL AND c.deleted_at IS NULL
             ORDER BY q.conversation_id
             LIMIT :limit
            """;

    private static final String EDIT =
            "UPDATE queued_message SET text = :text, problem = NULL" + ONE;

    private static final String REMOVE = "DELETE FROM queued_message" + ONE;

    private static final String PAUSE = "UPDATE queued_message SET paused = 1" + IN_CHAT;

    private static final String RESUME =
            "UPDATE queued_message SET paused = 0, problem = NULL" + IN_CHAT + " AND paused = 1";

    private static final String REFUSE = "UPDATE queued_message SET problem = :problem" + ONE;

    private static final String STEER =
            "UPDATE queued_message SET steer_run = :run, paused = 0, problem = NULL" + ONE;

    private static final String STEERING =
            "SELECT * FROM queued_message WHERE steer_run = :run ORDER BY position";

    /** Also when the person has just decided that the message shall wait for its own turn. */
    private static final String HEARD =
            """
            DELETE FROM queued_message
             WHERE message_id = :message
               AND conversation_id = (SELECT r.conversation_id FROM run r WHERE r.id = :run)
            """;

    private static final String UNHEARD =
            "UPDATE queued_message SET steer_run = NULL" + IN_CHAT + " AND steer_run IS NOT NULL";

    private static final String ERASE = "DELETE FROM queued_message" + IN_CHAT;

    private static final String REMOVE_OF_PERSON =
            "DELETE FROM queued_message WHERE tenant_id = :tenant AND user_id = :user";

    private static final TypeReference<List<String>> IDS = new TypeReference<>() {};

    /** Appends the message to the queue of its chat. */
    public void add(Transaction tx, QueuedMessage message) {
        List<String> files = message.attachments().stream().map(FileId::value).toList();
        AgentId agent = message.choice().agent();
        tx.update(INSERT)
                .bind("conversation", message.conversation().value())
                .bind("message", message.id().value())
                .bind("tenant", message.tenant().value())
                .bind("user", message.user().value())
                .bind("run", message.run().value())
                .bind("text", message.text())
                .bind("attachments", Json.MAPPER.writeValueAsString(files))
                .bind("agent", agent == null ? null : agent.value())
                .bind("model", message.choice().model())
                .bind("steerRun", value(message.steerRun()))
                .bind("now", message.createdAt())
                .execute();
    }

    private static @Nullable String value(@Nullable RunId run) {
        return run == null ? null : run.value();
    }

    /** All messages of a chat in their order. */
    public List<QueuedMessage> list(Transaction tx, ConversationId conversation) {
        return tx.query(LIST)
                .bind("conversation", conversation.value())
                .map((row, _) -> message(row))
                .list();
    }

    /** The message whose turn will have this run. */
    public Optional<QueuedMessage> find(Transaction tx, RunId run) {
        return tx.query(FIND_BY_RUN)
                .bind("run", run.value())
                .map((row, _) -> message(row))
                .findOne();
    }

    public int count(Transaction tx, ConversationId conversation) {
        return tx.query(COUNT)
                .bind("conversation", conversation.value())
                .mapTo(Integer.class)
                .one();
    }

    /** The message whose turn can start now. */
    public Optional<QueuedMessage> findDue(Transaction tx, ConversationId conversation) {
        return tx.query(DUE)
                .bind("conversation", conversation.value())
                .map((row, _) -> message(row))
                .findOne();
    }

    /** A page of the chats in which a turn can start now, after the id of another. */
    public List<ConversationId> chatsWithDue(Transaction tx, String after, int limit) {
        return tx.query(CHATS_WITH_DUE)
                .bind("after", after)
                .bind("limit", limit)
                .mapTo(String.class)
                .map(ConversationId::new)
                .list();
    }

    /** Replaces the text; false when the message is not queued. */
    public boolean edit(
            Transaction tx, ConversationId conversation, MessageId message, String text) {
        return tx.update(EDIT)
                        .bind("conversation", conversation.value())
                        .bind("message", message.value())
                        .bind("text", text)
                        .execute()
                == 1;
    }

    /** False when the message is not queued. */
    public boolean remove(Transaction tx, ConversationId conversation, MessageId message) {
        return tx.update(REMOVE)
                        .bind("conversation", conversation.value())
                        .bind("message", message.value())
                        .execute()
                == 1;
    }

    /** The messages that are queued now wait until a person goes on. */
    public void pause(Transaction tx, ConversationId conversation) {
        tx.update(PAUSE).bind("conversation", conversation.value()).execute();
    }

    /** Whether the queue was paused. */
    public boolean resume(Transaction tx, ConversationId conversation) {
        return tx.update(RESUME).bind("conversation", conversation.value()).execute() > 0;
    }

    /** Pauses the queue because the turn of a message was refused. */
    public void refuse(Transaction tx, QueuedMessage message, String problem) {
        pause(tx, message.conversation());
        tx.update(REFUSE)
                .bind("conversation", message.conversation().value())
                .bind("message", message.id().value())
                .bind("problem", problem)
                .execute();
    }

    /** Lets a run hear a queued message; null for a turn of its own. */
    public void steer(
            Transaction tx, ConversationId conversation, MessageId message, @Nullable RunId run) {
        tx.update(STEER)
                .bind("conversation", conversation.value())
                .bind("message", message.value())
                .bind("run", value(run))
                .execute();
    }

    /** The messages that a run shall hear and has not heard yet. */
    public List<QueuedMessage> steering(Transaction tx, RunId run) {
        return tx.query(STEERING).bind("run", run.value()).map((row, _) -> message(row)).list();
    }

    /** In the transaction that stores the line by which the run says so. */
    public void heard(Transaction tx, RunId run, String message) {
        tx.update(HEARD).bind("run", run.value()).bind("message", message).execute();
    }

    /** The run of a chat has ended: what it has not heard gets a turn of its own. */
    public void unheard(Transaction tx, ConversationId conversation) {
        tx.update(UNHEARD).bind("conversation", conversation.value()).execute();
    }

    /** Removes the messages of a person from all queues. */
    public void removeAll(Transaction tx, TenantId tenant, UserId user) {
        tx.update(REMOVE_OF_PERSON)
                .bind("tenant", tenant.value())
                .bind("user", user.value())
                .execute();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    private static QueuedMessage message(ResultSet row) throws SQLException {
        String steerRun = row.getString("steer_run");
        String agent = row.getString("agent_id");
        return new QueuedMessage(
                new TenantId(row.getString("tenant_id")),
                new UserId(row.getString("user_id")),
                new ConversationId(row.getString("conversation_id")),
                new MessageId(row.getString("message_id")),
                new RunId(row.getString("run_id")),
                row.getString("text"),
                Json.MAPPER.readValue(row.getString("attachments"), IDS).stream()
                        .map(FileId::new)
                        .toList(),
                new AgentChoice(agent == null ? null : new AgentId(agent), row.getString("model")),
                row.getLong("paused") != 0,
                row.getString("problem"),
                steerRun == null ? null : new RunId(steerRun),
                row.getLong("created_at"));
    }
}
