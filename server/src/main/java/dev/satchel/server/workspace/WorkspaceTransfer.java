package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.sandbox.RunningSandbox;
import java.io.IOException;

/** A workspace that was copied to the disk of a sandbox; closing copies it back. */
@FunctionalInterface
public interface WorkspaceTransfer extends AutoCloseable {
    /** For a sandbox that works in the live workspace itself. */
    WorkspaceTransfer NONE = () -> {};

    /** Copies back even if the thread is interrupted: files of a cancelled run are kept. */
    @Override
    void close() throws IOException;

    /** Copies workspaces to sandboxes that have a disk of their own. */
    @FunctionalInterface
    interface Factory {
        WorkspaceTransfer copyTo(RunningSandbox sandbox, ConversationId id) throws IOException;
    }
}
