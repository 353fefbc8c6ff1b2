package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.snapshot.SnapshotService.Origin;
import java.io.IOException;

/** The workspaces on the disks of the other servers that share the database. */
public interface PeerWorkspaces {
    /** For a server that has no peers. */
    PeerWorkspaces NONE =
            new PeerWorkspaces() {
                @Override
                public boolean mayTakeOver() {
                    return false;
                }

                @Override
                public boolean have(ConversationId id) {
                    return false;
                }

                @Override
                public boolean snapshot(Origin origin) {
                    return false;
                }

                @Override
                public void bringHere(Origin origin) {
                    // every workspace is here
                }
            };

    /**
     * Whether peers continue the conversations of this server when it is down. They have its
     * snapshots then, but not its disk.
     */
    boolean mayTakeOver();

    /** Whether a peer that is alive has the workspace. */
    boolean have(ConversationId id);

    /**
     * Makes the peer that has the workspace take a snapshot of it. Returns false if it took none:
     * no peer has the workspace, the peer is down, or there is a later snapshot.
     */
    boolean snapshot(Origin origin) throws IOException;

    /**
     * Makes this server the one that has the workspace. A peer that has it takes a snapshot first
     * and removes it then; it is missing here until it is restored from the snapshot.
     *
     * @throws WorkspaceUnreachableException if the peer is alive and does not answer
     */
    void bringHere(Origin origin) throws IOException, InterruptedException;
}
