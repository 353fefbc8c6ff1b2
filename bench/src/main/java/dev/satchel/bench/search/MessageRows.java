package dev.satchel.bench.search;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.ContentBlock;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.statement.PreparedBatch;

/** Fills a database with messages and their entries in the index, faster than requests do. */
final class MessageRows {
    static final int MESSAGES_OF_CHAT = 10;
    private static final int TENTH = 10;
    private static final int CHATS_OF_BATCH = 1_000;

    private static final String TENANT =
            "INSERT INTO tenant (id, created_at) VALUES ('default', 0) ON CONFLICT DO NOTHING";

    private static final String CHAT =
            """
            INSERT INTO conversation (id, tenant_id, type, title, message_count, generation, created_at, updated_at,
                                      user_id)
            VALUES (:id, 'default', 'assistant_sandbox', 'a chat', 10, 1, :time, :time, :user)
            """;

    private static final String MESSAGE =
            """
            INSERT INTO message (conversation_id, seq, id, role, content, attachments, created_at)
            VALUES (:chat, :seq, :id, 'user', :content, '[]', :time)
            """;

    private static final String PERSON =
            """
            INSERT INTO app_user (tenant_id, id, name, role, created_at)
            VALUES ('default', 'member', 'Member', 'member', 0)
            """;

    private static final String KEY =
            """
            INSERT INTO api_key (id, tenant_id, user_id, name, hash, created_at)
            VALUES ('member', 'default', 'member', 'benchmark', :hash, 0)
            """;

    private static final String MEMBER = "member";
    private static final int CHATS_OF_MEMBER = 100;

    private final Database database;
    private final Vocabulary vocabulary = new Vocabulary();
    private final ConversationStore store = new ConversationStore();
    private final IndexRows entries;
    private final CallerSecret memberKey = CallerSecret.random("sk_satchel_");

    MessageRows(Database database) {
        this.database = database;
        this.entries = new IndexRows(database.dialect());
    }

    /** So many messages, one a second until now. Returns the ids of some chats. */
    List<String> fill(int messages) {
        List<String> some = new ArrayList<>();
        database.change(
                tx -> {
                    tx.update(TENANT).execute();
                    tx.update(PERSON).execute();
                    tx.update(KEY).bind("hash", memberKey.hash()).execute();
                });
        int chats = Math.ceilDiv(messages, MESSAGES_OF_CHAT);
        long start = System.currentTimeMillis() - messages * 1000L;
        int distance = Math.max(TENTH, chats / CHATS_OF_MEMBER / TENTH * TENTH);
        database.change(entries::begin);
        for (int chat = 0; chat < chats; chat += CHATS_OF_BATCH) {
            int first = chat;
            int count = Math.min(CHATS_OF_BATCH, chats - chat);
            some.addAll(
                    database.writeWithoutTimeLimit(
                            tx -> insert(tx, start, first, count, distance)));
        }
        int _ = database.writeWithoutTimeLimit(entries::end);
        database.change(tx -> tx.update("UPDATE search_progress SET done = 1").execute());
        return some;
    }

    /**
     * Returns the ids of a tenth of the chats. Of so many others one is of a member, all else is of
     * the owner.
     */
    private List<String> insert(Transaction tx, long start, int first, int count, int distance) {
        PreparedBatch chats = tx.batch(CHAT);
        PreparedBatch messages = tx.batch(MESSAGE);
        List<String> some = new ArrayList<>();
        for (int chat = first; chat < first + count; chat++) {
            String id = UUID.randomUUID().toString();
            if (chat % TENTH == 0) {
                some.add(id);
            }
            long time = start + chat * 1000L * MESSAGES_OF_CHAT;
            String user = chat % distance == 1 ? MEMBER : UserId.FIRST_OWNER.value();
            chats.bind("id", id).bind("time", time).bind("user", user).add();
            for (int seq = 1; seq <= MESSAGES_OF_CHAT; seq++) {
                String message = id + "." + seq;
                String text = vocabulary.message();
                messages.bind("chat", id)
                        .bind("seq", seq)
                        .bind("id", message)
                        .bind("content", "[{\"type\":\"text\",\"text\":\"" + text + "\"}]")
                        .bind("time", time + seq * 1000L)
                        .add();
                entries.add(new IndexRows.Entry(user, id, message, text, time + seq * 1000L));
            }
        }
        int[] _ = chats.execute();
        int[] _ = messages.execute();
        entries.write(tx);
        return some;
    }

    /** The key of the person with few chats. */
    String memberKey() {
        return memberKey.value();
    }

    ConversationId newChat() {
        ConversationId id = ConversationId.random();
        long now = System.currentTimeMillis();
        database.change(
                tx -> store.create(tx, Caller.owner(TenantId.DEFAULT), id, null, null, now));
        return id;
    }

    /** The two messages of a turn without its run, each in a transaction of its own. */
    void pair(ConversationId chat) {
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
