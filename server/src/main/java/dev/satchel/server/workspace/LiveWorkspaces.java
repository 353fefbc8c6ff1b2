package dev.satchel.server.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.workspace.WorkspaceDirectories;
import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The live workspaces that this server can read and write, one for each conversation. */
public interface LiveWorkspaces {
    /** Stands for a server in {@link #place}. */
    String SHARED = "shared";

    /** Whether workspaces can be read and written: a runner of another vendor need not offer it. */
    default boolean areOffered() throws IOException {
        return true;
    }

    /** The server whose disk has the workspaces; {@link #SHARED} if every server reaches them. */
    default String place() {
        return SHARED;
    }

    /** Whether workspaces are directories of this machine, where each operation takes little. */
    default boolean areOnThisDisk() {
        return true;
    }

    /** Opens a workspace to read, if there is one; the caller closes it. */
    Optional<WorkspaceView> view(ConversationId id) throws IOException;

    /** Opens a workspace to save or change it, if there is one; the caller closes it. */
    Optional<SafeDirectory> find(ConversationId id) throws IOException;

    /**
     * As {@link #find}, and creates a missing workspace; empty only if the runner does not offer
     * its workspaces.
     */
    Optional<SafeDirectory> open(ConversationId id) throws IOException;

    /** Whether there is no live workspace, but there could be one. */
    boolean isMissing(ConversationId id) throws IOException;

    /** Whether the server that has a workspace answers now. */
    default boolean isReachable(ConversationId id) {
        return true;
    }

    /** Creates a workspace with the files that the filler writes; fails if there is one already. */
    void install(ConversationId id, WorkspaceDirectories.Filler filler) throws IOException;

    /** As {@link #install}, and replaces the workspace that is there. */
    void replace(ConversationId id, WorkspaceDirectories.Filler filler) throws IOException;

    /** Removes a workspace, if there is one; open readers may read on for a while. */
    void remove(ConversationId id) throws IOException;

    /** Removes a workspace, if there is one, and deletes its files at once. */
    void erase(ConversationId id) throws IOException;

    /** The workspaces that this server has to look after. */
    List<ConversationId> all() throws IOException;

    /** Records that a workspace is changed now. */
    void touch(ConversationId id) throws IOException;

    /** When a workspace was last changed, in milliseconds; 0 if there is none. */
    long changedAt(ConversationId id) throws IOException;
}
