package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Transaction;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The node that has a conversation's live workspace. Copies on other nodes are outdated. Null when
 * it is not recorded yet, {@code ''} when no node has one.
 */
public final class WorkspaceHomeStore {
    private static final String FIND = "SELECT workspace_node FROM conversation WHERE id = :id";

    private final ConversationStore conversations;

    public WorkspaceHomeStore(ConversationStore conversations) {
        this.conversations = conversations;
    }

    /** Empty when there is no such conversation. */
    public Optional<Home> find(Transaction tx, ConversationId id) {
        return tx.query(FIND)
                .bind("id", id.value())
                .map((row, _) -> new Home(row.getString("workspace_node")))
                .findOne();
    }

    public boolean move(Transaction tx, ConversationId id, Home from, Home to) {
        return conversations.moveWorkspace(tx, id, from.node(), to.node());
    }

    public boolean leave(Transaction tx, ConversationId id, Home from) {
        return conversations.moveIdleWorkspace(tx, id, from.node(), Home.NOWHERE.node());
    }

    /** A row's word for it. */
    public record Home(@Nullable String node) {
        public static final Home UNKNOWN = new Home(null);
        public static final Home NOWHERE = new Home("");
    }
}
