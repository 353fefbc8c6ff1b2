package dev.satchel.runner.workspace;

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

/** A runner's folder of workspaces, one by conversation. They come and go whole. */
public final class WorkspaceDirectories {
    private final Path folder;
    private final StagingDirectories aside;
    private final SharedTreeReads readings = new SharedTreeReads();

    /** {@code owner} tells this process from others on the same disk, and outlives it. */
    public WorkspaceDirectories(Path folder, String owner) {
        this.folder = folder;
        this.aside = new StagingDirectories(folder.resolveSibling("workspaces-aside"), owner);
    }

    /** Fills an empty folder of which nobody else knows. */
    @FunctionalInterface
    public interface Filling {
        void into(Path folder) throws IOException;
    }

    /** Opens a conversation's workspace if there is one; the caller closes it. */
    public Optional<SafeDirectory> find(String id) throws IOException {
        if (!exists(id)) {
            return Optional.empty();
        }
        try {
            return Optional.of(SafeDirectory.open(path(id), readings));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // taken away in this moment
        }
    }

    public boolean exists(String id) {
        return isDirectory(path(id));
    }

    /** Makes one where none is. */
    public void make(String id) throws IOException {
        Files.createDirectories(path(id));
    }

    /** Makes what the filling brings a conversation's workspace, at once and only where none is. */
    public void install(String id, Filling filling) throws IOException {
        Path made = aside.forOneThatComes();
        try {
            filling.into(made);
            if (exists(id)) {
                throw new FileAlreadyExistsException(id);
            }
            Files.createDirectories(folder);
            Files.move(made, path(id), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            aside.delete(made);
            throw e;
        }
    }

    /** As {@link #install}, in the place of the one that is there. */
    public void replace(String id, Filling filling) throws IOException {
        Path made = aside.forOneThatComes();
        try {
            filling.into(made);
            remove(id);
            Files.createDirectories(folder);
            Files.move(made, path(id), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            aside.delete(made);
            throw e;
        }
    }

    /**
     * Takes a workspace away at once; whoever is reading in it reads on until it is cleared. None
     * is as good as one taken away.
     */
    public void remove(String id) throws IOException {
        Optional<Path> _ = takeAway(id);
    }

    /** Takes a workspace away and clears it, whoever reads in it. */
    public void erase(String id) throws IOException {
        Optional<Path> gone = takeAway(id);
        if (gone.isPresent()) {
            aside.delete(gone.get());
        }
    }

    /** Clears what was taken away so long ago. */
    public void clearRemoved(Duration ago) throws IOException {
        aside.clearRemoved(ago);
    }

    private Optional<Path> takeAway(String id) throws IOException {
        if (!exists(id)) {
            return Optional.empty();
        }
        Path gone = aside.forOneThatGoes();
        Files.move(path(id), gone, StandardCopyOption.ATOMIC_MOVE);
        return Optional.of(Files.setLastModifiedTime(gone, FileTime.from(Instant.now())));
    }

    /** Remembers that it was changed now: what is deep inside leaves no trace at the top. */
    public void touch(String id) throws IOException {
        Files.setLastModifiedTime(path(id), FileTime.from(Instant.now()));
    }

    /** In milliseconds; 0 where nothing is. */
    public long changedAt(String id) {
        return path(id).toFile().lastModified();
    }

    /** The conversations that have one. */
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
     * Clears what this process has left half restored or half removed when it was killed; for the
     * start. Others may be at work on the same disk.
     */
    public void clear() throws IOException {
        aside.clear();
    }

    private Path path(String id) {
        return folder.resolve(id);
    }

    private static boolean isDirectory(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
