package dev.satchel.runner.host;

import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.runner.workspace.TreeReadings;
import dev.satchel.runner.workspace.WorkspaceEntry;
import dev.satchel.runner.workspace.WorkspacePath;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A runner's folder of workspaces, one by conversation. They come and go whole. */
public final class WorkspaceFolder {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceFolder.class);

    private static final String RESTORED = "workspace-";
    private static final String REMOVED = "removed-";

    private final Path folder;
    private final TreeReadings readings = new TreeReadings();

    public WorkspaceFolder(Path folder) {
        this.folder = folder;
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
        Path made = newFolder(RESTORED);
        try {
            filling.into(made);
            if (exists(id)) {
                throw new FileAlreadyExistsException(id);
            }
            Files.createDirectories(folder);
            Files.move(made, path(id), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException e) {
            deleteAside(made);
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
            deleteAside(gone.get());
        }
    }

    /** Clears what was taken away so long ago. */
    public void clearRemoved(Duration ago) throws IOException {
        Instant before = Instant.now().minus(ago);
        clear(
                entry ->
                        entry.path().name().startsWith(REMOVED)
                                && !entry.stat().modified().isAfter(before));
    }

    private Optional<Path> takeAway(String id) throws IOException {
        if (!exists(id)) {
            return Optional.empty();
        }
        Path gone = newFolder(REMOVED);
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

    /** Clears what a killed process has left half restored or half removed; for the start. */
    public void clear() throws IOException {
        clear(_ -> true);
    }

    private void clear(Predicate<WorkspaceEntry> which) throws IOException {
        if (!isDirectory(aside())) {
            return;
        }
        try (SafeDirectory left = SafeDirectory.open(aside())) {
            for (WorkspaceEntry entry : left.list(WorkspacePath.ROOT)) {
                if (which.test(entry)) {
                    delete(left, entry.path());
                }
            }
        }
    }

    private Path newFolder(String prefix) throws IOException {
        Path made = Files.createTempDirectory(Files.createDirectories(aside()), prefix);
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void deleteAside(Path gone) throws IOException {
        try (SafeDirectory left = SafeDirectory.open(aside())) {
            delete(left, new WorkspacePath(gone.getFileName().toString()));
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

    private Path aside() {
        return folder.resolveSibling("workspaces-aside");
    }

    private Path path(String id) {
        return folder.resolve(id);
    }

    private static boolean isDirectory(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
