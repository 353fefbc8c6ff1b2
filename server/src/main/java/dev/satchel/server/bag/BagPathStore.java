package dev.satchel.server.bag;

import dev.satchel.protocol.Json;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.conversation.FileAttachment;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.MessageTree;
import dev.satchel.server.conversation.MessageTree.Span;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.type.TypeReference;

/**
 * Finds out which files of a bag a path of the thread has: those that its messages attached and its
 * runs made, and those of no message.
 */
final class BagPathStore {
    private static final String FILES =
            """
            SELECT id, message_id, run_id FROM bag_file
             WHERE conversation_id = :conversation AND (message_id IS NOT NULL OR run_id IS NOT NULL)
            """;

    /** The oldest first. */
    private static final String WITHOUT_COPY =
            """
            SELECT * FROM bag_file
             WHERE conversation_id = :conversation
               AND NOT EXISTS (SELECT 1 FROM workspace_copy w
                                WHERE w.conversation_id = bag_file.conversation_id
                                  AND w.file_id = bag_file.id)
               AND superseded_by IS NULL
               AND arrived_at IS NOT NULL AND deleted_at IS NULL
             ORDER BY created_at, id
            """;

    private static final String MESSAGES =
            "SELECT seq, id, attachments FROM message WHERE conversation_id = :conversation";

    private static final TypeReference<List<FileAttachment>> ATTACHMENTS = new TypeReference<>() {};

    private final ConversationStore conversations;

    BagPathStore(ConversationStore conversations) {
        this.conversations = conversations;
    }

    /** The messages of files that have one: that which attached the file, or the answer. */
    Map<FileId, MessageId> messages(Transaction tx, ConversationId conversation) {
        Map<FileId, MessageId> messages = new HashMap<>();
        tx.query(FILES)
                .bind("conversation", conversation.value())
                .map((row, _) -> Map.entry(new FileId(row.getString("id")), messageOf(row)))
                .forEach(each -> messages.put(each.getKey(), each.getValue()));
        return messages;
    }

    private static MessageId messageOf(ResultSet row) throws SQLException {
        String run = row.getString("run_id");
        return run == null
                ? new MessageId(row.getString("message_id"))
                : MessageId.ofAnswer(new RunId(run));
    }

    /** The files that are not in the workspace of the conversation yet. */
    List<BagFile> withoutCopy(Transaction tx, ConversationId conversation) {
        return tx.query(WITHOUT_COPY)
                .bind("conversation", conversation.value())
                .map((row, _) -> BagStore.file(row))
                .list();
    }

    /** The files that only other paths have than the active one. */
    Set<FileId> elsewhere(Transaction tx, ConversationId conversation) {
        MessageTree tree = conversations.threads().tree(tx, conversation);
        return elsewhere(tx, conversation, tree, tree.head());
    }

    /** The files that only other paths have than the one to a message. */
    Set<FileId> elsewhere(
            Transaction tx, ConversationId conversation, MessageTree tree, long message) {
        if (tree.length(message) == tree.last()) {
            return Set.of(); // there is no other path
        }
        Map<FileId, MessageId> files = messages(tx, conversation);
        if (files.isEmpty()) {
            return Set.of();
        }
        Places places = new Places(tree.path(message));
        tx.query(MESSAGES)
                .bind("conversation", conversation.value())
                .map((row, _) -> new Place(row.getLong(1), row.getString(2), row.getString(3)))
                .forEach(places::add);
        return files.entrySet().stream()
                .filter(each -> places.areOff(each.getKey(), each.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** A message, with its attachments in JSON. */
    private record Place(long number, String id, String attachments) {}

    /** The messages on a path and beside it. An edited message attaches a file once more. */
    private static final class Places {
        private final List<Span> path;
        private final Set<String> off = new HashSet<>();
        private final Set<String> attached = new HashSet<>();

        Places(List<Span> path) {
            this.path = path;
        }

        void add(Place place) {
            long number = place.number();
            if (path.stream().noneMatch(it -> it.first() <= number && number <= it.last())) {
                off.add(place.id());
            } else if (place.attachments().length() > 2) { // not []
                Json.MAPPER
                        .readValue(place.attachments(), ATTACHMENTS)
                        .forEach(file -> attached.add(file.id()));
            }
        }

        /** A queued message is nowhere yet, nor is the answer of a run that is on. */
        boolean areOff(FileId file, MessageId message) {
            return off.contains(message.value()) && !attached.contains(file.value());
        }
    }
}
