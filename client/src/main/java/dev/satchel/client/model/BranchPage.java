package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Branches in the order in which they began.
 *
 * @param headId the last message of the active path; null before the first message
 * @param nextCursor leads to the next page; null on the last one
 */
public record BranchPage(
        @Nullable String headId, List<Branch> branches, @Nullable String nextCursor, JsonNode json)
        implements ServerObject {
    public BranchPage {
        branches = List.copyOf(branches);
    }
}
