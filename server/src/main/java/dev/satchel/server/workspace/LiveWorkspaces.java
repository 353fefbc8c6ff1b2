package dev.satchel.server.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.runner.workspace.WorkspaceDirectories;
import dev.satchel.server.conversation.ConversationId;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The live workspaces, one by conversation, on whichever disk they lie. */
public interface LiveWorkspaces {
    /** Opens one to read, if there is one; the caller closes it. */
    Optional<WorkspaceView> view(ConversationId id) throws IOException;

    /** Opens one to keep or to change, if there is one; the caller closes it. */
    Optional<SafeDirectory> find(ConversationId id) throws IOException;

    /** As {@link #find}, but made when it is missing; empty only where there can be none. */
    Optional<SafeDirectory> open(ConversationId id) throws IOException;

    /** Those that are this server's to look after: on its disk, or on its runner's. */
    default List<ConversationId> all() throws IOException {
        return List.of();
    }

    /** Remembers when one was changed last: what is deep inside leaves no trace at the top. */
    default void touch(ConversationId id) throws IOException {}

    /** In milliseconds; 0 where nothing is, or nobody remembers. */
    default long changedAt(ConversationId id) throws IOException {
        return 0;
    }

    /** Whether others go on without this server, and then without what lies on its disk alone. */
    default boolean goesWithItsServer() {
        return false;
    }

    /** Whether there could be a live one but is none. */
    boolean isMissing(ConversationId id) throws IOException;

    /** Makes what the filling brings a conversation's workspace, at once and only where none is. */
    void install(ConversationId id, WorkspaceDirectories.Filling filling) throws IOException;

    /** As {@link #install}, in the place of the one that is there. */
    default void replace(ConversationId id, WorkspaceDirectories.Filling filling)
            throws IOException {
        remove(id);
        install(id, filling);
    }

    /** Takes a workspace away, if there is one; whoever is reading in it may read on a while. */
    void remove(ConversationId id) throws IOException;

    /** Takes a workspace away and clears it, whoever reads in it. */
    void erase(ConversationId id) throws IOException;

    /** Clears what was taken away so long ago. */
    default void clearRemoved(Duration ago) throws IOException {}

    /**
     * Sees to it that a run of this server works on the newest files: what lies on another server's
     * disk is kept and then taken away there, and is missing here until it is installed.
     */
    default void bringHere(ConversationId id, Keeping keeping)
            throws IOException, InterruptedException {}

    /** What lies here though it is at home elsewhere: left over from a move. */
    default List<ConversationId> leftOver() throws IOException {
        return List.of();
    }

    /** Takes such a one away; not when it counts after all. */
    default void removeLeftOver(ConversationId id) throws IOException {}

    /** Keeps a workspace before it is taken away. */
    @FunctionalInterface
    interface Keeping {
        void keep(SafeDirectory directory) throws IOException;
    }
}
