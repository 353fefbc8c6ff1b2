package dev.satchel.server.storage;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.storage.StorageStore.BagUse;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up what a tenant keeps. */
public final class Storage {
    private static final Comparator<ChatUse> LARGEST_FIRST =
            Comparator.comparingLong(ChatUse::bytes).reversed().thenComparing(ChatUse::id);

    private final Database database;
    private final StorageStore store = new StorageStore();

    public Storage(Database database) {
        this.database = database;
    }

    /** Everything of a tenant by kind; {@code chats} are its largest conversations, in order. */
    record Kept(
            Use files,
            Use deletedFiles,
            Use runFiles,
            Use snapshots,
            Use assets,
            Use uploads,
            Use staged,
            List<ChatUse> chats) {

        long bytes() {
            return Use.sum(
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

    Kept of(TenantId tenant, int maxChats) {
        return database.read(tx -> add(tx, tenant, maxChats));
    }

    private Kept add(Transaction tx, TenantId tenant, int maxChats) {
        Map<ConversationId, ChatUse> chats = new HashMap<>();
        Use ofRuns = Use.NONE;
        for (BagUse bag : store.bags(tx, tenant)) {
            ConversationId id = bag.conversation();
            if (id == null) {
                ofRuns = bag.files().plus(bag.deleted());
            } else {
                chats.put(id, ChatUse.ofBag(id, bag.files(), bag.deleted()));
            }
        }
        store.snapshots(tx, tenant)
                .forEach((id, use) -> chats.merge(id, ChatUse.ofSnapshots(id, use), ChatUse::plus));
        List<ChatUse> largest =
                chats.values().stream().sorted(LARGEST_FIRST).limit(maxChats).toList();
        return new Kept(
                Use.sum(chats.values().stream().map(ChatUse::files).toList()),
                Use.sum(chats.values().stream().map(ChatUse::deletedFiles).toList()),
                ofRuns,
                Use.sum(chats.values().stream().map(ChatUse::snapshots).toList()),
                store.assets(tx, tenant),
                store.uploads(tx, tenant),
                store.staged(tx, tenant),
                largest.stream()
                        .map(chat -> chat.named(store.name(tx, new ConversationId(chat.id()))))
                        .toList());
    }
}
