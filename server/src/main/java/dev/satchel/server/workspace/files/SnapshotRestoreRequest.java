package dev.satchel.server.workspace.files;

import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.Fields;
import dev.satchel.server.snapshot.SnapshotId;
import dev.satchel.server.workspace.SessionErrors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/sessions/{id}/restore}. */
record SnapshotRestoreRequest(
        String snapshot, @Nullable List<String> paths, @Nullable Boolean dryRun) {
    private static final int MAX_PATHS = 1000;

    SnapshotRestoreRequest {
        if (!SnapshotId.isValid(Fields.required("snapshot", snapshot))) {
            throw SessionErrors.invalid("body/snapshot must match format \"uuid\"");
        }
        if (paths != null) {
            paths = List.copyOf(paths);
            if (paths.isEmpty() || paths.size() > MAX_PATHS) {
                throw Fields.invalid("paths", "must hold 1 to " + MAX_PATHS + " paths");
            }
        }
    }

    SnapshotId id() {
        return new SnapshotId(snapshot);
    }

    /** None for the whole workspace. */
    List<WorkspacePath> wantedPaths() {
        return paths == null
                ? List.of()
                : paths.stream().map(path -> RequestedPath.parse(path).path()).toList();
    }

    boolean isDryRun() {
        return Boolean.TRUE.equals(dryRun);
    }
}
