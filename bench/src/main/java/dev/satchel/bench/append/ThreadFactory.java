package dev.satchel.bench.append;

import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.CallerSecret;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/** Makes threads that already have messages. */
final class ThreadFactory {
    /** So few in a transaction that PostgreSQL can tidy up between them, as between turns. */
    private static final int BATCH = 20;

    private final Database database;
    private final ConversationStore store = new ConversationStore();

    ThreadFactory(Database database) {
        this.database = database;
        // the tenant comes with its key
        new ApiKeys(database, new AccessStore(), Clock.systemUTC())
                .acceptConfigured(new CallerSecret("sk_bench_key"));
    }

    List<MeasuredThread> make(int count, int messages) {
        return Stream.generate(() -> make(messages)).limit(count).toList();
    }

    private MeasuredThread make(int messages) {
        ConversationId id = ConversationId.random();
        MeasuredThread thread = new MeasuredThread(database, store, id);
        long now = System.currentTimeMillis();
        database.change(
                tx -> store.create(tx, Caller.owner(TenantId.DEFAULT), id, null, null, now));
        for (int done = 0; done < messages; done += BATCH) {
            int more = Math.min(BATCH, messages - done);
            database.change(
                    tx -> {
                        for (int i = 0; i < more; i++) {
                            store.threads().append(tx, id, MeasuredThread.message());
                        }
                    });
        }
        return thread;
    }
}
