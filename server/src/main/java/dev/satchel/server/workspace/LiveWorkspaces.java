package dev.satchel.server.workspace;

import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the live workspaces lie: in the folder of a runner that shares our disk, one by
 * conversation. Behind a runner elsewhere there are none.
 */
public final class LiveWorkspaces {
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

    /** Where it lies or would lie. */
    Optional<Path> path(ConversationId id) {
        return Optional.ofNullable(folder).map(all -> all.resolve(id.value()));
    }

    private static boolean isDirectory(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
