package dev.satchel.server.snapshot;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.objectstore.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row of a snapshot. Its manifest and packs may be those of an earlier snapshot of the same
 * conversation; they are deleted when no snapshot needs them.
 */
public record Snapshot(
        SnapshotId id,
        TenantId tenant,
        ConversationId conversation,
        long generation,
        @Nullable String runId,
        String manifest,
        List<Pack> packs,
        long files,
        long bytes,
        long createdAt) {

    static final String PREFIX = "workspace-snapshots";

    public Snapshot {
        packs = List.copyOf(packs);
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
