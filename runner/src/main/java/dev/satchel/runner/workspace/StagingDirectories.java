package dev.satchel.runner.workspace;

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
 * Where workspaces are on their way in or out, beside the others and on the same disk. Several
 * processes may use it; each knows its own by name.
 */
record StagingDirectories(Path folder, String owner) {
    private static final Logger LOG = LoggerFactory.getLogger(StagingDirectories.class);

    private static final String RESTORED = "workspace-";
    private static final String REMOVED = "removed-";

    /** What others have left lying for so long is nobody's any more. */
    private static final Duration FORGOTTEN = Duration.ofDays(1);

    Path forOneThatComes() throws IOException {
        return make(RESTORED);
    }

    Path forOneThatGoes() throws IOException {
        return make(REMOVED);
    }

    void delete(Path gone) throws IOException {
        try (SafeDirectory left = SafeDirectory.open(folder)) {
            delete(left, new WorkspacePath(gone.getFileName().toString()));
        }
    }

    /** Clears what this process has left when it was killed; what others have when it is old. */
    void clear() throws IOException {
        Instant before = Instant.now().minus(FORGOTTEN);
        clear(entry -> isOurs(entry) || entry.stat().modified().isBefore(before));
    }

    /** Clears what was taken away so long ago, by whomever. */
    void clearRemoved(Duration ago) throws IOException {
        Instant before = Instant.now().minus(ago);
        clear(
                entry ->
                        entry.path().name().startsWith(REMOVED)
                                && !entry.stat().modified().isAfter(before));
    }

    private Path make(String prefix) throws IOException {
        Path made = Files.createTempDirectory(Files.createDirectories(folder), ours(prefix));
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private boolean isOurs(WorkspaceEntry entry) {
        String name = entry.path().name();
        return name.startsWith(ours(RESTORED)) || name.startsWith(ours(REMOVED));
    }

    private String ours(String prefix) {
        return prefix + owner + ".";
    }

    private void clear(Predicate<WorkspaceEntry> which) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (SafeDirectory left = SafeDirectory.open(folder)) {
            for (WorkspaceEntry entry : left.list(WorkspacePath.ROOT)) {
                if (which.test(entry)) {
                    delete(left, entry.path());
                }
            }
        }
    }

    /** What was taken away is in nobody's way, so what will not go can stay. */
    private static void delete(SafeDirectory left, WorkspacePath path) {
        try {
            left.deleteTree(path);
        } catch (IOException e) {
            LOG.warn("a workspace that was taken away stays behind name={}", path.value(), e);
        }
    }
}
