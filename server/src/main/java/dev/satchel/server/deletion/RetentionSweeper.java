package dev.satchel.server.deletion;

import dev.satchel.server.audit.AuditStore;
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
    private final Ages ages;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();

    public RetentionSweeper(
            Database database,
            ConversationDeletion conversations,
            RunTokenStore tokens,
            Ages ages,
            Clock clock) {
        this.database = database;
        this.conversations = conversations;
        this.tokens = tokens;
        this.ages = ages;
        this.clock = clock;
    }

    /**
     * How long a deleted chat, an unused chat, a headless run, the hash of an expired token and a
     * row of the audit log are stored. All but the first are stored for ever when the duration is
     * zero.
     */
    public record Ages(
            Duration trash, Duration chat, Duration headlessRun, Duration token, Duration audit) {}

    public void sweep() {
        if (!ages.headlessRun().isZero()) {
            conversations.expireRuns(before(ages.headlessRun()));
        }
        if (!ages.chat().isZero()) {
            conversations.expireChats(before(ages.chat()));
        }
        conversations.sweep(before(ages.trash()));
        if (!ages.token().isZero()) {
            long expired = before(ages.token());
            repeat(tx -> tokens.dropExpired(tx, expired));
        }
        if (!ages.audit().isZero()) {
            long old = before(ages.audit());
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
