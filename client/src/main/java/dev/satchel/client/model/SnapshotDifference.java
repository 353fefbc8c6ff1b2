package dev.satchel.client.model;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** The paths that differ from one snapshot to another. */
public record SnapshotDifference(
        String from,
        String to,
        List<String> added,
        List<String> removed,
        List<String> changed,
        JsonNode json)
        implements ServerObject {
    public SnapshotDifference {
        added = List.copyOf(added);
        removed = List.copyOf(removed);
        changed = List.copyOf(changed);
    }
}
