package dev.satchel.server.storage;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.storage.StorageStore.TenantUsage;
import java.time.Duration;
import java.util.List;

/** The storage of a tenant. */
public final class StorageUsage {
    private final Database database;
    private final Duration trash;
    private final StorageStore store = new StorageStore();

    /** {@code trash} is how long a deleted chat can be restored. */
    public StorageUsage(Database database, Duration trash) {
        this.database = database;
        this.trash = trash;
    }

    /** The totals of a tenant by kind; {@code chats} are its largest conversations, in order. */
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

    Totals of(TenantId tenant, int maxChats) {
        return database.read(tx -> read(tx, tenant, maxChats));
    }

    private Totals read(Transaction tx, TenantId tenant, int maxChats) {
        TenantUsage usage = store.tenant(tx, tenant);
        return new Totals(
                usage.files(),
                usage.deletedFiles(),
                usage.runFiles(),
                usage.snapshots(),
                usage.assets(),
                usage.skills(),
                store.uploads(tx, tenant),
                store.staged(tx, tenant),
                usage.texts(),
                store.largest(tx, tenant, maxChats, trash));
    }
}
