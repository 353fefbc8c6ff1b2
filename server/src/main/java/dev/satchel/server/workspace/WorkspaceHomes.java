package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.node.NodeId;
import dev.satchel.server.node.Nodes;
import java.util.Optional;

/** Finds the server that has a conversation's workspace on its disk: its home. */
public final class WorkspaceHomes {
    private final Nodes nodes;
    private final WorkspaceHomeStore store;

    public WorkspaceHomes(Nodes nodes, WorkspaceHomeStore store) {
        this.nodes = nodes;
        this.store = store;
    }

    public NodeId self() {
        return nodes.self();
    }

    /** The home of a workspace if it is another server and alive. */
    public Optional<NodeId> elsewhere(Transaction tx, ConversationId id, long now) {
        return store.find(tx, id)
                .map(WorkspaceHomeStore.Home::node)
                .filter(node -> !node.isEmpty())
                .map(NodeId::new)
                .filter(node -> !node.equals(nodes.self()) && nodes.isAlive(tx, node, now));
    }
}
