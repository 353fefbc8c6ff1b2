package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What going back to a snapshot has changed, or would change. The lists may be shorter than the
 * counts.
 *
 * @param undo the snapshot that has what was there before
 * @param restored the snapshot that the workspace is at now
 */
public record RestoredSnapshot(
        String snapshot,
        @Nullable String undo,
        @Nullable String restored,
        List<String> added,
        long addedCount,
        List<String> changed,
        long changedCount,
        List<String> removed,
        long removedCount,
        JsonNode json)
        implements ServerObject {
    public RestoredSnapshot {
        added = List.copyOf(added);
        changed = List.copyOf(changed);
        removed = List.copyOf(removed);
    }
}
