package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * On which server's disk a conversation's live workspace lies. What lies on any other is old. Null
 * when nobody has said so yet, {@code ''} when on nobody's.
 */
public final class WorkspaceHomeStore {
    private static final String FIND = "SELECT workspace_node FROM conversation WHERE id = :id";

    /** Only from where it is believed to be: of two servers that want it one gets it. */
    private static final String MOVE =
            """
            UPDATE conversation SET workspace_node = :to
             WHERE id = :id AND COALESCE(workspace_node, 'unknown') = COALESCE(:from, 'unknown')
            """;

    /** Not while a run is on: it would go on working in what nobody keeps. */
    private static final String LEAVE =
            """
            UPDATE conversation SET workspace_node = ''
             WHERE id = :id AND COALESCE(workspace_node, 'unknown') = COALESCE(:from, 'unknown')
               AND active_run_id IS NULL
            """;

    /** Empty when there is no such conversation. */
    public Optional<Home> find(Transaction tx, ConversationId id) {
        return tx.query(FIND)
                .bind("id", id.value())
                .map((row, _) -> new Home(row.getString("workspace_node")))
                .findOne();
    }

    public boolean move(Transaction tx, ConversationId id, Home from, Home to) {
        return tx.update(MOVE)
                        .bind("id", id.value())
                        .bind("from", from.node())
                        .bind("to", to.node())
                        .execute()
                == 1;
    }

    public boolean leave(Transaction tx, ConversationId id, Home from) {
        return tx.update(LEAVE).bind("id", id.value()).bind("from", from.node()).execute() == 1;
    }

    /** A row's word for it. */
    public record Home(@Nullable String node) {
        public static final Home UNKNOWN = new Home(null);
        public static final Home NOWHERE = new Home("");
    }
}
