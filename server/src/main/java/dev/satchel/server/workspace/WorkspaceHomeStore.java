package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Transaction;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The node that has a conversation's live workspace. Copies on other nodes are outdated. Null when
 * it is not recorded yet, {@code ''} when no node has one.
 */
public final class WorkspaceHomeStore {
    private static final String FIND = "SELECT workspace_node FROM conversation WHERE id = :id";

    private static final String FIND_PENDING =
            """
            SELECT workspace_pending FROM conversation
             WHERE id = :id AND workspace_pending IS NOT NULL
            """;

    private static final String PENDING =
            """
            SELECT id FROM conversation
             WHERE workspace_pending = :place AND id > :after
             ORDER BY id
             LIMIT 100
            """;

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
        return conversations.clearWorkspace(tx, id, from.node());
    }

    /** Where the files are that no snapshot has; empty when a snapshot has them. */
    public Optional<String> pendingAt(Transaction tx, ConversationId id) {
        return tx.query(FIND_PENDING).bind("id", id.value()).mapTo(String.class).findOne();
    }

    /** A page of the conversations whose files are at a place and in no snapshot. */
    List<ConversationId> pending(Transaction tx, String place, String after) {
        return tx.query(PENDING)
                .bind("place", place)
                .bind("after", after)
                .map((row, _) -> new ConversationId(row.getString("id")))
                .list();
    }

    boolean discardPending(Transaction tx, ConversationId id, String place) {
        return conversations.discardPending(tx, id, place);
    }

    /** A row's word for it. */
    public record Home(@Nullable String node) {
        public static final Home UNKNOWN = new Home(null);
        public static final Home NOWHERE = new Home("");
    }
}
