package dev.satchel.client.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files of a workspace, live ({@code sandbox}) or as a turn left them ({@code snapshot}). */
public record WorkspaceListing(
        List<WorkspaceFile> files, String source, @Nullable String nextCursor) {
    public WorkspaceListing {
        files = List.copyOf(files);
    }
}
