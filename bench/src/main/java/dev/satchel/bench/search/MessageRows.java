package dev.satchel.bench.search;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Fills a database with messages and their entries in the index, faster than requests do. */
final class MessageRows {
    private static final int MESSAGES_OF_CHAT = 10;
    private static final int CHATS_OF_BATCH = 100;

    private static final String TENANT =
            "INSERT INTO tenant (id, created_at) VALUES ('default', 0) ON CONFLICT DO NOTHING";

    private static final String CHAT =
            """
            INSERT INTO conversation (id, tenant_id, type, title, message_count, generation, created_at, updated_at)
            VALUES (:id, 'default', 'assistant_sandbox', 'a chat', 10, 1, :time, :time)
            """;

    private static final String MESSAGE =
            """
            INSERT INTO message (conversation_id, seq, id, role, content, attachments, created_at)
            VALUES (:chat, :seq, :id, 'user', :content, '[]', :time)
            """;

    private static final String ENTRY =
            """
            INSERT INTO search_input (tenant_id, kind, conversation_id, item_id, page, text, at, words)
            VALUES ('default', 'message', :chat, :id, NULL, :text, :time, :text)
            """;

    private final Database database;
    private final Vocabulary vocabulary = new Vocabulary();
    private final ConversationStore store = new ConversationStore();

    MessageRows(Database database) {
        this.database = database;
    }

    void fill(int messages) {
        database.change(tx -> tx.update(TENANT).execute());
        int chats = Math.ceilDiv(messages, MESSAGES_OF_CHAT);
        long start = System.currentTimeMillis() - messages * 1000L; // one a second until now
        for (int chat = 0; chat < chats; chat += CHATS_OF_BATCH) {
            int first = chat;
            int count = Math.min(CHATS_OF_BATCH, chats - chat);
            database.change(tx -> insert(tx, start, first, count));
        }
        database.change(tx -> tx.update("UPDATE search_progress SET done = 1").execute());
    }

    private void insert(Transaction tx, long start, int first, int count) {
        PreparedBatch chats = tx.batch(CHAT);
        PreparedBatch messages = tx.batch(MESSAGE);
        PreparedBatch entries = tx.batch(ENTRY);
        for (int chat = first; chat < first + count; chat++) {
            String id = UUID.randomUUID().toString();
            long time = start + chat * 1000L * MESSAGES_OF_CHAT;
            chats.bind("id", id).bind("time", time).add();
            for (int seq = 1; seq <= MESSAGES_OF_CHAT; seq++) {
                String message = id + "." + seq;
                String text = vocabulary.message();
                messages.bind("chat", id)
                        .bind("seq", seq)
                        .bind("id", message)
                        .bind("content", "[{\"type\":\"text\",\"text\":\"" + text + "\"}]")
                        .bind("time", time + seq * 1000L)
                        .add();
                entries.bind("chat", id)
                        .bind("id", message)
                        .bind("text", text)
                        .bind("time", time + seq * 1000L)
                        .add();
            }
        }
        chats.execute();
        messages.execute();
        entries.execute();
    }

    ConversationId newChat() {
        ConversationId id = ConversationId.random();
        long now = System.currentTimeMillis();
        database.change(
                tx -> store.create(tx, Caller.owner(TenantId.DEFAULT), id, null, null, now));
        return id;
    }

    /** The messages of a turn, each in a transaction of its own. */
    void turn(ConversationId chat) {
        append(chat, Role.USER);
        append(chat, Role.ASSISTANT);
    }

    private void append(ConversationId chat, Role role) {
        PersistedMessage message =
                new PersistedMessage(
                        MessageId.random().value(),
                        role,
                        List.of(new ContentBlock.Text(vocabulary.message())),
                        List.of(),
                        null,
                        System.currentTimeMillis());
        database.change(tx -> store.threads().append(tx, chat, message));
    }
}
