package dev.satchel.bench.append;

import dev.satchel.bench.process.ServerProcess;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.database.Database;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/** Makes threads that already have messages. */
public final class ThreadFactory {
    /** So few in a transaction that PostgreSQL can tidy up between them, as between turns. */
    private static final int BATCH = 20;

    private final Database database;
    private final ConversationStore store = new ConversationStore();

    public ThreadFactory(Database database) {
        this.database = database;
        // the tenant comes with its key
        new ApiKeys(database, new AccessStore(), Clock.systemUTC())
                .acceptConfigured(new CallerSecret(ServerProcess.KEY));
    }

    List<MeasuredThread> make(int count, int messages) {
        return Stream.generate(() -> make(messages)).limit(count).toList();
    }

    private MeasuredThread make(int messages) {
        MeasuredThread thread = new MeasuredThread(database, store, create());
        append(thread.id(), messages);
        return thread;
    }

    /**
     * A thread with branches of the same length, each of which begins in the middle of the one
     * before.
     */
    public ConversationId makeBranched(int messages, int branches) {
        ConversationId id = create();
        int length = messages / branches;
        append(id, messages - length * (branches - 1));
        for (int branch = 1; branch < branches; branch++) {
            database.change(
                    tx -> {
                        MessageTree tree = store.threads().tree(tx, id);
                        store.threads().setHead(tx, id, tree, tree.last() - length / 2);
                    });
            append(id, length);
        }
        return id;
    }

    private ConversationId create() {
        ConversationId id = ConversationId.random();
        long now = System.currentTimeMillis();
        database.change(
                tx -> store.create(tx, Caller.owner(TenantId.DEFAULT), id, null, null, now));
        return id;
    }

    private void append(ConversationId id, int messages) {
        for (int done = 0; done < messages; done += BATCH) {
            int more = Math.min(BATCH, messages - done);
            database.change(
                    tx -> {
                        for (int i = 0; i < more; i++) {
                            store.threads().append(tx, id, MeasuredThread.message());
                        }
                    });
        }
    }
}
