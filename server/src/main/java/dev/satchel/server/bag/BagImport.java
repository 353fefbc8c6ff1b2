package dev.satchel.server.bag;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;

/**
 * Lets files that lie in the object store already into a conversation's bag: a name is reserved for
 * each, its owner moves the bytes to the key of that name, and then it arrives.
 */
public final class BagImport {
    private final BagStore store;
    private final BagLimits limits;

    public BagImport(BagStore store, BagLimits limits) {
        this.store = store;
        this.limits = limits;
    }

    /** Keeps a name for the file, which keeps its id; the answer says where its bytes go. */
    public BagFile reserve(
            Transaction tx,
            TenantId tenant,
            ConversationId to,
            FileId id,
            StoredFile file,
            long now) {
        BagId bag = new BagId.OfConversation(to);
        if (store.count(tx, bag) >= limits.maxFiles()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE, "more than " + limits.maxFiles() + " files");
        }
        return new FreeNameFinder(store)
                .reserve(
                        tx,
                        bag,
                        null,
                        file.name(),
                        name -> named(tenant, bag, id, file, name, now));
    }

    /** Refuses what would take the bag over its limit. */
    public void requireRoom(Transaction tx, ConversationId to, long moreBytes) {
        if (store.bytes(tx, new BagId.OfConversation(to)) + moreBytes > limits.maxBagBytes()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the files together have more than " + limits.maxBagBytes() + " bytes");
        }
    }

    /** The bytes are in place: from here on everybody sees the file. */
    public void arrive(
            Transaction tx,
            TenantId tenant,
            ConversationId to,
            FileId id,
            StoredFile file,
            long now) {
        store.arrive(
                tx, named(tenant, new BagId.OfConversation(to), id, file, file.name(), now), now);
    }

    private static BagFile named(
            TenantId tenant, BagId bag, FileId id, StoredFile file, String name, long now) {
        return new BagFile(
                id,
                tenant,
                null,
                name,
                file.mimeType(),
                file.size(),
                file.sha256(),
                bag.key(tenant, name),
                BagFile.FROM_USER,
                now);
    }
}
