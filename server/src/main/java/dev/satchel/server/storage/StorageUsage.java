package dev.satchel.server.storage;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.storage.StorageStore.BagUsage;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Computes the storage of a tenant. */
public final class StorageUsage {
    private static final Comparator<ConversationUsage> LARGEST_FIRST =
            Comparator.comparingLong(ConversationUsage::bytes)
                    .reversed()
                    .thenComparing(ConversationUsage::id);

    private final Database database;
    private final StorageStore store = new StorageStore();

    public StorageUsage(Database database) {
        this.database = database;
    }

    /** The totals of a tenant by kind; {@code chats} are its largest conversations, in order. */
    record Totals(
            UsageTotal files,
            UsageTotal deletedFiles,
            UsageTotal runFiles,
            UsageTotal snapshots,
            UsageTotal assets,
            UsageTotal uploads,
            UsageTotal staged,
            List<ConversationUsage> chats) {

        long bytes() {
            return UsageTotal.sum(
                            List.of(
                                    files,
                                    deletedFiles,
                                    runFiles,
                                    snapshots,
                                    assets,
                                    uploads,
                                    staged))
                    .bytes();
        }
    }

    Totals of(TenantId tenant, int maxChats) {
        return database.read(tx -> add(tx, tenant, maxChats));
    }

    private Totals add(Transaction tx, TenantId tenant, int maxChats) {
        Map<ConversationId, ConversationUsage> chats = new HashMap<>();
        UsageTotal ofRuns = UsageTotal.NONE;
        for (BagUsage bag : store.bags(tx, tenant)) {
            ConversationId id = bag.chat();
            if (id == null) {
                ofRuns = bag.files().plus(bag.deleted());
            } else {
                chats.put(id, ConversationUsage.ofBag(id, bag.files(), bag.deleted()));
            }
        }
        StorageStore.SnapshotUsage snapshots = store.snapshots(tx, tenant);
        snapshots
                .chats()
                .forEach(
                        (id, use) ->
                                chats.merge(
                                        id,
                                        ConversationUsage.ofSnapshots(id, use),
                                        ConversationUsage::plus));
        List<ConversationUsage> largest =
                chats.values().stream().sorted(LARGEST_FIRST).limit(maxChats).toList();
        return new Totals(
                UsageTotal.sum(chats.values().stream().map(ConversationUsage::files).toList()),
                UsageTotal.sum(
                        chats.values().stream().map(ConversationUsage::deletedFiles).toList()),
                ofRuns,
                UsageTotal.sum(chats.values().stream().map(ConversationUsage::snapshots).toList())
                        .plus(snapshots.runs()),
                store.assets(tx, tenant),
                store.uploads(tx, tenant),
                store.staged(tx, tenant),
                largest.stream()
                        .map(chat -> chat.named(store.name(tx, new ConversationId(chat.id()))))
                        .toList());
    }
}
