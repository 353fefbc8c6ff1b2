package dev.satchel.server.snapshot;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.objectstore.ObjectKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row of one snapshot. Its manifest and packs may have been made for an earlier one of the same
 * conversation; they stay as long as any snapshot needs them.
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

    /** The key of one of its objects by the name that rows and manifests use. */
    ObjectKey key(String name) {
        return key(tenant, conversation, name);
    }

    /** Everything of a conversation's snapshots lies beneath this. */
    public static String prefix(TenantId tenant, ConversationId conversation) {
        return PREFIX + "/" + tenant.value() + "/" + conversation.value() + "/";
    }

    static ObjectKey key(TenantId tenant, ConversationId conversation, String name) {
        return new ObjectKey(prefix(tenant, conversation) + name);
    }
}
