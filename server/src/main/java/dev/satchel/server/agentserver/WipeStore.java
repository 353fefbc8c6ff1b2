package dev.satchel.server.agentserver;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.objectstore.ObjectKey;
import java.util.List;

/** Every row that hangs on a conversation, in an order that the references allow. */
final class WipeStore {
    private static final String OF_ITS_RUNS =
            " WHERE run_id IN (SELECT id FROM run WHERE conversation_id = :id)";

    private static final String OF_ITS_UPLOADS =
            " WHERE upload_id IN (SELECT id FROM upload WHERE conversation_id = :id)";

    private static final String OF_IT = " WHERE conversation_id = :id";

    private static final List<String> STATEMENTS =
            List.of(
                    "DELETE FROM mcp_token" + OF_IT,
                    "DELETE FROM staged_asset" + OF_IT,
                    "DELETE FROM upload_part" + OF_ITS_UPLOADS,
                    "DELETE FROM upload" + OF_IT,
                    "DELETE FROM snapshot" + OF_IT,
                    "DELETE FROM session" + OF_IT,
                    "DELETE FROM bag_file" + OF_IT,
                    "DELETE FROM message" + OF_IT,
                    "DELETE FROM run_line" + OF_ITS_RUNS,
                    "DELETE FROM run_token" + OF_ITS_RUNS,
                    "DELETE FROM run" + OF_IT,
                    "DELETE FROM conversation WHERE id = :id");

    private static final String UNMOVED =
            "SELECT storage_key FROM upload WHERE conversation_id = :id AND moved_at IS NULL";

    /** Where claimed files lie whose bytes have not reached the bag. */
    List<ObjectKey> unmovedKeys(Transaction tx, ConversationId conversation) {
        return tx.query(UNMOVED)
                .bind("id", conversation.value())
                .mapTo(String.class)
                .map(ObjectKey::new)
                .list();
    }

    void wipe(Transaction tx, ConversationId conversation) {
        for (String statement : STATEMENTS) {
            tx.update(statement).bind("id", conversation.value()).execute();
        }
    }
}
