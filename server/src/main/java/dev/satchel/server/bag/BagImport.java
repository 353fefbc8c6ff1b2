package dev.satchel.server.bag;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;

/**
 * Adds files that are already in the object store to the bag of a conversation: a name is reserved
 * for each, the caller moves the bytes to the key of that name, and then the file is visible.
 */
public final class BagImport {
    private final BagStore store;
    private final BagContentStore contents = new BagContentStore();
    private final BagLimits limits;

    public BagImport(BagStore store, BagLimits limits) {
        this.store = store;
        this.limits = limits;
    }

    /** Reserves a name for the file; the result has the key for its bytes. */
    public BagFile reserve(
            Transaction tx,
            TenantId tenant,
            ConversationId to,
            FileId id,
            StoredFile file,
            long now) {
        BagId bag = new BagId.OfConversation(to);
        if (contents.count(tx, bag) >= limits.maxFiles()) {
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

    /** Refuses files that exceed the limit of the bag. */
    public void requireByteLimit(Transaction tx, ConversationId to, long moreBytes) {
        if (contents.bytes(tx, new BagId.OfConversation(to)) + moreBytes > limits.maxBagBytes()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE,
                    "the files together have more than " + limits.maxBagBytes() + " bytes");
        }
    }

    /** Makes the file visible. Its bytes must be at their key. */
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
