package dev.satchel.server.workspace;

import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.server.conversation.Conversation;
import java.io.IOException;
import java.util.Optional;

/** Opens the workspaces of conversations, to read or to change. */
public final class Workspaces {
    private final LiveWorkspaces live;

    public Workspaces(LiveWorkspaces live) {
        this.live = live;
    }

    /** The live one; the caller closes it. */
    public WorkspaceView view(Conversation conversation) throws IOException {
        Optional<SafeDirectory> directory = live.find(conversation.id());
        if (directory.isPresent()) {
            return new LiveView(directory.get());
        }
        throw SessionErrors.noWorkspace();
    }

    /** The live one to change, made if need be; not while a run is in it. */
    public SafeDirectory change(Conversation conversation) throws IOException {
        if (conversation.activeRunId() != null) {
            throw SessionErrors.runInProgress();
        }
        return live.open(conversation.id()).orElseThrow(SessionErrors::noWorkspace);
    }
}
