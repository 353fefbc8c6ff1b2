package dev.satchel.filesystem.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.SharedTreeReads;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A folder of workspaces, one for each conversation. A workspace appears and disappears as a whole.
 */
public final class WorkspaceDirectories {
    private final Path folder;
    private final StagingDirectories staging;
    private final SharedTreeReads reads = new SharedTreeReads();

    /**
     * {@code owner} identifies this process among others that use the same disk; it is the same
     * after a restart.
     */
    public WorkspaceDirectories(Path folder, String owner) {
        this.folder = folder;
        this.staging = new StagingDirectories(folder.resolveSibling("workspaces-aside"), owner);
    }

    /** Writes the files of a new workspace into an empty directory. */
    @FunctionalInterface
    public interface Filler {
        void fill(Path directory) throws IOException;
    }

    /** Opens a conversation's workspace if there is one; the caller closes it. */
    public Optional<SafeDirectory> find(String id) throws IOException {
        if (!exists(id)) {
            return Optional.empty();
        }
        try {
            return Optional.of(SafeDirectory.open(path(id), reads));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // removed between the two calls
        }
    }

    public boolean exists(String id) {
        return isDirectory(path(id));
    }

    /** Creates an empty workspace if there is none. */
    public void create(String id) throws IOException {
        Files.createDirectories(path(id));
    }

    /** Creates a workspace with the files that the filler writes; fails if there is one already. */
    public void install(String id, Filler filler) throws IOException {
        Path filled = staging.create();
        try {
            filler.fill(filled);
            if (exists(id)) {
                throw new FileAlreadyExistsException(id);
            }
            Files.createDirectories(folder);
            Files.move(filled, path(id), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            staging.delete(filled);
            throw e;
        }
    }

    /** As {@link #install}, and replaces the workspace that is there. */
    public void replace(String id, Filler filler) throws IOException {
        Path filled = staging.create();
        try {
            filler.fill(filled);
            remove(id);
            Files.createDirectories(folder);
            Files.move(filled, path(id), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            staging.delete(filled);
            throw e;
        }
    }

    /**
     * Removes a workspace, if there is one. Open readers can read on until {@link #clearRemoved}
     * deletes its files.
     */
    public void remove(String id) throws IOException {
        Optional<Path> _ = moveAside(id);
    }

    /** Removes a workspace, if there is one, and deletes its files at once. */
    public void erase(String id) throws IOException {
        Optional<Path> removed = moveAside(id);
        if (removed.isPresent()) {
            staging.delete(removed.get());
        }
    }

    /** Deletes the files of workspaces that were removed at least this long ago. */
    public void clearRemoved(Duration ago) throws IOException {
        staging.clearRemoved(ago);
    }

    private Optional<Path> moveAside(String id) throws IOException {
        if (!exists(id)) {
            return Optional.empty();
        }
        Path removed = staging.createForRemoved();
        Files.move(path(id), removed, StandardCopyOption.ATOMIC_MOVE);
        return Optional.of(Files.setLastModifiedTime(removed, FileTime.from(Instant.now())));
    }

    /** Sets the time of the last change: a change deep inside does not set it at the top. */
    public void touch(String id) throws IOException {
        Files.setLastModifiedTime(path(id), FileTime.from(Instant.now()));
    }

    /** In milliseconds; 0 if there is no workspace. */
    public long changedAt(String id) {
        return path(id).toFile().lastModified();
    }

    /** The conversations that have a workspace. */
    public List<String> ids() throws IOException {
        if (!isDirectory(folder)) {
            return List.of();
        }
        List<String> ids = new ArrayList<>();
        try (SafeDirectory all = SafeDirectory.open(folder)) {
            for (WorkspaceEntry entry : all.list(WorkspacePath.ROOT)) {
                if (entry.stat().isDirectory()) {
                    ids.add(entry.path().value());
                }
            }
        }
        return ids;
    }

    /**
     * Deletes what this process left incomplete when it was killed; to be called at the start.
     * Other processes may be at work on the same disk.
     */
    public void clear() throws IOException {
        staging.clear();
    }

    private Path path(String id) {
        return folder.resolve(id);
    }

    private static boolean isDirectory(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
