package dev.satchel.server.deletion;

import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.configuration.Configuration.Retention;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.run.RunTokenStore;
import java.time.Clock;
import java.time.Duration;
import java.util.function.ToIntFunction;

/** Deletes what is older than the settings allow. */
public final class RetentionSweeper {
    private final Database database;
    private final ConversationDeletion conversations;
    private final RunTokenStore tokens;
    private final Retention retention;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();

    public RetentionSweeper(
            Database database,
            ConversationDeletion conversations,
            RunTokenStore tokens,
            Retention retention,
            Clock clock) {
        this.database = database;
        this.conversations = conversations;
        this.tokens = tokens;
        this.retention = retention;
        this.clock = clock;
    }

    public void sweep() {
        if (!retention.headlessRun().isZero()) {
            conversations.expireRuns(before(retention.headlessRun()));
        }
        conversations.sweep(before(retention.trash()));
        if (!retention.token().isZero()) {
            long expired = before(retention.token());
            repeat(tx -> tokens.dropExpired(tx, expired));
        }
        if (!retention.audit().isZero()) {
            long old = before(retention.audit());
            repeat(tx -> audit.dropBefore(tx, old));
        }
    }

    private long before(Duration age) {
        return clock.millis() - age.toMillis();
    }

    /** In short transactions, until one has deleted nothing. */
    private void repeat(ToIntFunction<Transaction> deletion) {
        int deleted = 1;
        while (deleted > 0 && !Thread.currentThread().isInterrupted()) {
            deleted = database.write(deletion::applyAsInt);
        }
    }
}
