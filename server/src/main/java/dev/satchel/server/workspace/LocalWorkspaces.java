package dev.satchel.server.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Live workspaces on a disk that this server and its runner share. */
public record LocalWorkspaces(WorkspaceDirectories directories) implements LiveWorkspaces {
    @Override
    public Optional<WorkspaceView> view(ConversationId id) throws IOException {
        return find(id).map(LiveWorkspaceView::new);
    }

    @Override
    public Optional<SafeDirectory> find(ConversationId id) throws IOException {
        return directories.find(id.value());
    }

    @Override
    public Optional<SafeDirectory> open(ConversationId id) throws IOException {
        directories.create(id.value());
        return find(id);
    }

    @Override
    public boolean isMissing(ConversationId id) {
        return !directories.exists(id.value());
    }

    @Override
    public void install(ConversationId id, WorkspaceDirectories.Filler filler) throws IOException {
        directories.install(id.value(), filler);
    }

    @Override
    public void replace(ConversationId id, WorkspaceDirectories.Filler filler) throws IOException {
        directories.replace(id.value(), filler);
    }

    @Override
    public void remove(ConversationId id) throws IOException {
        directories.remove(id.value());
    }

    @Override
    public void erase(ConversationId id) throws IOException {
        directories.erase(id.value());
    }

    @Override
    public List<ConversationId> all() throws IOException {
        return directories.ids().stream()
                .filter(ConversationId::isValid)
                .map(ConversationId::new)
                .toList();
    }

    @Override
    public void touch(ConversationId id) throws IOException {
        directories.touch(id.value());
    }

    @Override
    public long changedAt(ConversationId id) {
        return directories.changedAt(id.value());
    }
}
