package dev.satchel.server.snapshot;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.objectstore.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row of a snapshot. Its manifest and packs may be those of an earlier snapshot of the same
 * conversation; they are deleted when no snapshot needs them.
 *
 * @param message after which the files were like this: the answer of a run, else the last message
 *     of the thread; null if it is not known
 * @param restoredFrom the snapshot whose files were restored; null if the files were made
 * @param changes since the snapshot before it; null if they were not counted
 */
public record Snapshot(
        SnapshotId id,
        TenantId tenant,
        ConversationId conversation,
        long generation,
        @Nullable String runId,
        @Nullable MessageId message,
        @Nullable SnapshotId restoredFrom,
        String manifest,
        List<Pack> packs,
        long files,
        long bytes,
        Manifest.@Nullable Counts changes,
        long createdAt) {

    static final String PREFIX = "workspace-snapshots";

    public Snapshot {
        packs = List.copyOf(packs);
    }

    /** The same files, restored from another snapshot. */
    Snapshot asRestoredFrom(SnapshotId other) {
        return new Snapshot(
                id,
                tenant,
                conversation,
                generation,
                runId,
                message,
                other,
                manifest,
                packs,
                files,
                bytes,
                changes,
                createdAt);
    }

    /** The key of an object by the name that rows and manifests use. */
    ObjectKey key(String name) {
        return key(tenant, conversation, name);
    }

    /** The prefix of all objects of a conversation's snapshots. */
    public static String prefix(TenantId tenant, ConversationId conversation) {
        return PREFIX + "/" + tenant.value() + "/" + conversation.value() + "/";
    }

    static ObjectKey key(TenantId tenant, ConversationId conversation, String name) {
        return new ObjectKey(prefix(tenant, conversation) + name);
    }
}
