package dev.satchel.server.storage;

import dev.satchel.server.access.Caller;
import dev.satchel.server.access.UserRole;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.storage.StorageStore.TenantUsage;
import java.time.Duration;
import java.util.List;

/** The storage of a tenant for its owners, and their own for other people. */
public final class StorageUsage {
    private final Database database;
    private final Duration trash;
    private final StorageStore store = new StorageStore();

    /** {@code trash} is how long a deleted chat can be restored. */
    public StorageUsage(Database database, Duration trash) {
        this.database = database;
        this.trash = trash;
    }

    /** The totals by kind; {@code chats} are the largest chats of the caller, in order. */
    record Totals(
            UsageTotal files,
            UsageTotal deletedFiles,
            UsageTotal runFiles,
            UsageTotal snapshots,
            UsageTotal assets,
            UsageTotal skills,
            UsageTotal uploads,
            UsageTotal staged,
            UsageTotal texts,
            List<ConversationUsage> chats) {

        long bytes() {
            return UsageTotal.sum(
                            List.of(
                                    files,
                                    deletedFiles,
                                    runFiles,
                                    snapshots,
                                    assets,
                                    skills,
                                    uploads,
                                    staged,
                                    texts))
                    .bytes();
        }
    }

    Totals of(Caller caller, int maxChats) {
        return database.read(tx -> read(tx, caller, maxChats));
    }

    private Totals read(Transaction tx, Caller caller, int maxChats) {
        TenantUsage usage =
                caller.role() == UserRole.OWNER
                        ? store.tenant(tx, caller.tenant())
                        : store.person(tx, caller);
        return new Totals(
                usage.files(),
                usage.deletedFiles(),
                usage.runFiles(),
                usage.snapshots(),
                usage.assets(),
                usage.skills(),
                store.uploads(tx, caller),
                store.staged(tx, caller),
                usage.texts(),
                store.largest(tx, caller, maxChats, trash));
    }
}
