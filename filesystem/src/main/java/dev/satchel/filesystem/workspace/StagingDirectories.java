package dev.satchel.filesystem.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workspaces that are not complete yet, and removed ones that are still to be deleted. They lie on
 * the same disk as the workspaces, so that a rename moves them. Several processes may share the
 * directory; the owner is part of each name.
 */
record StagingDirectories(Path folder, String owner) {
    private static final Logger LOG = LoggerFactory.getLogger(StagingDirectories.class);

    private static final String INCOMPLETE = "workspace-";
    private static final String REMOVED = "removed-";

    /** After this time a directory of another process is deleted too. */
    private static final Duration MAX_AGE = Duration.ofDays(1);

    /** A new directory, to be filled and then renamed to a workspace. */
    Path create() throws IOException {
        return create(INCOMPLETE);
    }

    /** A new directory, to be replaced by a workspace that is removed. */
    Path createForRemoved() throws IOException {
        return create(REMOVED);
    }

    void delete(Path directory) throws IOException {
        try (SafeDirectory all = SafeDirectory.open(folder)) {
            delete(all, new WorkspacePath(directory.getFileName().toString()));
        }
    }

    /** Deletes what this process left behind when it was killed, and old directories of others. */
    void clear() throws IOException {
        Instant before = Instant.now().minus(MAX_AGE);
        clear(entry -> isOwn(entry) || entry.stat().modified().isBefore(before));
    }

    /** Deletes workspaces that any process removed at least this long ago. */
    void clearRemoved(Duration ago) throws IOException {
        Instant before = Instant.now().minus(ago);
        clear(
                entry ->
                        entry.path().name().startsWith(REMOVED)
                                && !entry.stat().modified().isAfter(before));
    }

    private Path create(String prefix) throws IOException {
        Path created = Files.createTempDirectory(Files.createDirectories(folder), own(prefix));
        return Files.setPosixFilePermissions(created, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private boolean isOwn(WorkspaceEntry entry) {
        String name = entry.path().name();
        return name.startsWith(own(INCOMPLETE)) || name.startsWith(own(REMOVED));
    }

    private String own(String prefix) {
        return prefix + owner + ".";
    }

    private void clear(Predicate<WorkspaceEntry> selected) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (SafeDirectory all = SafeDirectory.open(folder)) {
            for (WorkspaceEntry entry : all.list(WorkspacePath.ROOT)) {
                if (selected.test(entry)) {
                    delete(all, entry.path());
                }
            }
        }
    }

    /** A directory that cannot be deleted is left: no reader looks for it. */
    private static void delete(SafeDirectory all, WorkspacePath path) {
        try {
            all.deleteTree(path);
        } catch (IOException e) {
            LOG.warn("cannot delete a removed workspace name={}", path.value(), e);
        }
    }
}
