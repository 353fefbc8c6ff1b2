package dev.satchel.server.workspace;

import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.runner.workspace.WorkspaceEntry;
import dev.satchel.runner.workspace.WorkspacePath;
import dev.satchel.server.conversation.ConversationId;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the live workspaces lie: in the folder of a runner that shares our disk, one by
 * conversation. Behind a runner elsewhere there are none.
 */
public final class LiveWorkspaces {
    private static final Logger LOG = LoggerFactory.getLogger(LiveWorkspaces.class);

    private static final String RESTORED = "workspace-";
    private static final String REMOVED = "removed-";

    private final @Nullable Path folder;

    public LiveWorkspaces(Optional<Path> folder) {
        this.folder = folder.orElse(null);
    }

    /** Opens a conversation's workspace if there is one; the caller closes it. */
    public Optional<SafeDirectory> find(ConversationId id) throws IOException {
        Optional<Path> path = path(id).filter(LiveWorkspaces::isDirectory);
        if (path.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(SafeDirectory.open(path.get()));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // taken away in this moment
        }
    }

    /** As {@link #find}, but made when it is missing; empty only where there can be none. */
    public Optional<SafeDirectory> open(ConversationId id) throws IOException {
        Optional<Path> path = path(id);
        if (path.isPresent()) {
            Files.createDirectories(path.get());
        }
        return find(id);
    }

    /** Whose workspaces are live. */
    List<ConversationId> all() throws IOException {
        if (folder == null || !isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(folder)) {
            return found.map(path -> path.getFileName().toString())
                    .filter(ConversationId::isValid)
                    .map(ConversationId::new)
                    .toList();
        }
    }

    /** Remembers when it was changed last, for what is deep inside leaves no trace at the top. */
    void touch(ConversationId id) throws IOException {
        Files.setLastModifiedTime(path(id).orElseThrow(), FileTime.from(Instant.now()));
    }

    /** In milliseconds; 0 where nothing is. */
    long changedAt(ConversationId id) {
        return path(id).map(path -> path.toFile().lastModified()).orElse(0L);
    }

    /** Whether there could be a live one but is none. */
    boolean isMissing(ConversationId id) {
        return path(id).filter(path -> !isDirectory(path)).isPresent();
    }

    /** An empty folder beside the workspaces, of which nobody else knows. */
    Path newFolder() throws IOException {
        return newFolder(RESTORED);
    }

    private Path newFolder(String prefix) throws IOException {
        Path made = Files.createTempDirectory(Files.createDirectories(aside()), prefix);
        return Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Makes a folder a conversation's workspace, at once and only where none is. */
    void install(Path folder, ConversationId id) throws IOException {
        Path target = path(id).orElseThrow();
        Files.createDirectories(target.getParent());
        Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Takes a workspace away at once; whoever is reading in it reads on until it is cleared. */
    void remove(ConversationId id) throws IOException {
        Path _ = takeAway(id);
    }

    /** Takes a workspace away and clears it, whoever reads in it. */
    void erase(ConversationId id) throws IOException {
        Path gone = takeAway(id);
        try (SafeDirectory left = SafeDirectory.open(aside())) {
            delete(left, new WorkspacePath(gone.getFileName().toString()));
        }
    }

    private Path takeAway(ConversationId id) throws IOException {
        Path gone = newFolder(REMOVED);
        Files.move(path(id).orElseThrow(), gone, StandardCopyOption.ATOMIC_MOVE);
        return Files.setLastModifiedTime(gone, FileTime.from(Instant.now()));
    }

    /** Clears what was taken away so long ago. */
    public void clearRemoved(Duration ago) throws IOException {
        if (folder == null || !isDirectory(aside())) {
            return;
        }
        Instant before = Instant.now().minus(ago);
        try (SafeDirectory left = SafeDirectory.open(aside())) {
            for (WorkspaceEntry entry : left.list(WorkspacePath.ROOT)) {
                if (entry.path().name().startsWith(REMOVED)
                        && !entry.stat().modified().isAfter(before)) {
                    delete(left, entry.path());
                }
            }
        }
    }

    /** Clears what a killed server has left half restored or half removed; for the start. */
    public void clear() throws IOException {
        if (folder == null || !isDirectory(aside())) {
            return;
        }
        try (SafeDirectory left = SafeDirectory.open(aside())) {
            for (WorkspaceEntry entry : left.list(WorkspacePath.ROOT)) {
                delete(left, entry.path());
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

    private Path aside() {
        if (folder == null) {
            throw new IllegalStateException("there are no live workspaces here");
        }
        return folder.resolveSibling("workspaces-aside");
    }

    /** Where it lies or would lie. */
    Optional<Path> path(ConversationId id) {
        return Optional.ofNullable(folder).map(all -> all.resolve(id.value()));
    }

    private static boolean isDirectory(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
