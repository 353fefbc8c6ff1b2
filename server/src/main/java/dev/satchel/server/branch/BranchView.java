package dev.satchel.server.branch;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.server.conversation.PersistedMessage;
import dev.satchel.server.conversation.Role;
import dev.satchel.server.snapshot.SnapshotId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A branch as JSON, with the beginning of its first message. */
@JsonInclude(JsonInclude.Include.ALWAYS)
record BranchView(
        String firstId,
        @Nullable String parentId,
        Role role,
        String text,
        long createdAt,
        String tipId,
        long messages,
        boolean active) {
    private static final int TEXT_LENGTH = 200;

    private static BranchView of(BranchService.Branch branch) {
        PersistedMessage first = branch.first();
        return new BranchView(
                first.id(),
                branch.parent(),
                first.role(),
                shortened(first.text().isBlank() ? first.fileNames() : first.text()),
                first.createdAt(),
                branch.tip(),
                branch.messages(),
                branch.isActive());
    }

    private static String shortened(String text) {
        return text.codePointCount(0, text.length()) <= TEXT_LENGTH
                ? text
                : text.substring(0, text.offsetByCodePoints(0, TEXT_LENGTH - 1)) + "…";
    }

    /** Branches in the order in which they began. */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Page(@Nullable String headId, List<BranchView> branches, @Nullable String nextCursor) {
        static Page of(BranchService.Page page) {
            Long next = page.next();
            return new Page(
                    page.head(),
                    page.branches().stream().map(BranchView::of).toList(),
                    next == null ? null : next.toString());
        }
    }

    /** The active path after a switch. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Head(String headId, long messageCount, @Nullable String undo) {
        static Head of(BranchService.Active active) {
            SnapshotId kept = active.kept();
            return new Head(active.head(), active.messages(), kept == null ? null : kept.value());
        }
    }
}
