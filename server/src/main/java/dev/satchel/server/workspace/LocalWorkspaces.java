package dev.satchel.server.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.runner.workspace.WorkspaceDirectories;
import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Live workspaces in the folder of a runner that shares our disk. */
public record LocalWorkspaces(WorkspaceDirectories folder) implements LiveWorkspaces {
    @Override
    public Optional<WorkspaceView> view(ConversationId id) throws IOException {
        return find(id).map(LiveWorkspaceView::new);
    }

    @Override
    public Optional<SafeDirectory> find(ConversationId id) throws IOException {
        return folder.find(id.value());
    }

    @Override
    public Optional<SafeDirectory> open(ConversationId id) throws IOException {
        folder.make(id.value());
        return find(id);
    }

    @Override
    public List<ConversationId> all() throws IOException {
        return folder.ids().stream()
                .filter(ConversationId::isValid)
                .map(ConversationId::new)
                .toList();
    }

    @Override
    public void touch(ConversationId id) throws IOException {
        folder.touch(id.value());
    }

    @Override
    public long changedAt(ConversationId id) {
        return folder.changedAt(id.value());
    }

    @Override
    public boolean isMissing(ConversationId id) {
        return !folder.exists(id.value());
    }

    @Override
    public void install(ConversationId id, WorkspaceDirectories.Filling filling)
            throws IOException {
        folder.install(id.value(), filling);
    }

    @Override
    public void replace(ConversationId id, WorkspaceDirectories.Filling filling)
            throws IOException {
        folder.replace(id.value(), filling);
    }

    @Override
    public void erase(ConversationId id) throws IOException {
        folder.erase(id.value());
    }

    @Override
    public void clearRemoved(Duration ago) throws IOException {
        folder.clearRemoved(ago);
    }

    @Override
    public void remove(ConversationId id) throws IOException {
        folder.remove(id.value());
    }
}
