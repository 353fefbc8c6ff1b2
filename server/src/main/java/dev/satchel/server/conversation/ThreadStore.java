package dev.satchel.server.conversation;

import dev.satchel.server.conversation.MessageTree.Branch;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.statement.Query;

/**
 * The shape of threads: rows of branches, and the heads of conversations. A transaction that writes
 * has the row of the conversation locked.
 */
public final class ThreadStore implements ConversationData {
    private static final String HEAD_IS_LAST =
            "UPDATE thread_head SET head_seq = NULL WHERE conversation_id = :id";

    private static final String SET_HEAD =
            """
            INSERT INTO thread_head (conversation_id, head_seq, off_path) VALUES (:id, :head, :offPath)
            ON CONFLICT (conversation_id) DO UPDATE
               SET head_seq = excluded.head_seq, off_path = excluded.off_path
            """;

    private static final String SHAPE =
            """
            SELECT message_count, COALESCE(head_seq, message_count) AS head, COALESCE(off_path, 0) AS off_path
              FROM conversation LEFT JOIN thread_head ON conversation_id = id
             WHERE id = :id
            """;

    private static final String BRANCHES =
            "SELECT seq, parent_seq, used FROM branch WHERE conversation_id = :id";

    private static final String ADD =
            "INSERT INTO branch (conversation_id, seq, parent_seq) VALUES (:id, :seq, :parent)";

    private static final String USE =
            """
            INSERT INTO branch (conversation_id, seq, parent_seq, used) VALUES (:id, :seq, :parent, :used)
            ON CONFLICT (conversation_id, seq) DO UPDATE SET used = excluded.used
            """;

    /** The number of parameters is fixed, so that there is one statement to prepare. */
    private static final int IDS_AT_ONCE = 32;

    private static final String IDS =
            "SELECT seq, id FROM message WHERE conversation_id = :id AND seq IN ("
                    + IntStream.range(0, IDS_AT_ONCE)
                            .mapToObj(i -> ":seq" + i)
                            .collect(Collectors.joining(", "))
                    + ")";

    private static final String ERASE = "DELETE FROM branch WHERE conversation_id = :id";

    private static final String ERASE_HEAD = "DELETE FROM thread_head WHERE conversation_id = :id";

    private final ConversationStore conversations;
    private final MessageStore messages;

    ThreadStore(ConversationStore conversations, MessageStore messages) {
        this.conversations = conversations;
        this.messages = messages;
    }

    /** Adds a message after the head, with the next number; it becomes the head. */
    public void append(Transaction tx, ConversationId conversation, PersistedMessage message) {
        Place place = conversations.next(tx, conversation);
        if (place.head() != Place.LAST) {
            tx.update(HEAD_IS_LAST).bind("id", conversation.value()).execute();
            tx.update(ADD)
                    .bind("id", conversation.value())
                    .bind("seq", place.seq())
                    .bind("parent", place.head())
                    .execute();
        }
        messages.insert(tx, conversation, place.seq(), message);
    }

    /** The number of a new message, and of the head that it follows. */
    record Place(long seq, long head) {
        static final long LAST = -1;
    }

    static Place place(ResultSet row) throws SQLException {
        long seq = row.getLong(1);
        long head = row.getLong(2);
        return new Place(seq, row.wasNull() ? Place.LAST : head);
    }

    /** Adds the answer to a message: after it, wherever the head is. */
    public void answer(
            Transaction tx,
            ConversationId conversation,
            MessageId question,
            PersistedMessage answer) {
        long parent = seqOf(tx, conversation, question).orElseThrow();
        MessageTree tree = tree(tx, conversation);
        if (tree.head() != parent) {
            setHead(tx, conversation, tree, parent);
        }
        append(tx, conversation, answer);
    }

    /** The tree of a conversation that was just read; without branches it costs no query. */
    public MessageTree tree(Transaction tx, Conversation conversation) {
        return conversation.isLinear()
                ? MessageTree.linear(conversation.lastSeq())
                : branched(tx, conversation.id(), conversation.lastSeq(), conversation.headSeq());
    }

    public MessageTree tree(Transaction tx, ConversationId conversation) {
        return tx.query(SHAPE)
                .bind("id", conversation.value())
                .map(
                        (row, _) ->
                                row.getLong("off_path") == 0
                                        ? MessageTree.linear(row.getLong("message_count"))
                                        : branched(
                                                tx,
                                                conversation,
                                                row.getLong("message_count"),
                                                row.getLong("head")))
                .one();
    }

    private static MessageTree branched(
            Transaction tx, ConversationId conversation, long last, long head) {
        List<Branch> branches =
                tx.query(BRANCHES)
                        .bind("id", conversation.value())
                        .map((row, _) -> new Branch(row.getLong(1), row.getLong(2), row.getLong(3)))
                        .list();
        return new MessageTree(branches, last, head);
    }

    /** Makes a message the head, or with 0 no message. */
    public void setHead(Transaction tx, ConversationId conversation, MessageTree tree, long seq) {
        for (Branch left : tree.use(tree.head())) {
            tx.update(USE)
                    .bind("id", conversation.value())
                    .bind("seq", left.seq())
                    .bind("parent", left.parent())
                    .bind("used", left.used())
                    .execute();
        }
        tx.update(SET_HEAD)
                .bind("id", conversation.value())
                .bind("head", seq == tree.last() ? null : Long.valueOf(seq))
                .bind("offPath", tree.last() - tree.length(seq))
                .execute();
    }

    public OptionalLong seqOf(Transaction tx, ConversationId conversation, MessageId message) {
        return messages.seqOf(tx, conversation, message);
    }

    /** The ids of the messages with these numbers; 0 has none. */
    public Map<Long, String> ids(
            Transaction tx, ConversationId conversation, Collection<Long> numbers) {
        List<Long> wanted = numbers.stream().filter(seq -> seq > 0).distinct().toList();
        Map<Long, String> ids = new HashMap<>();
        for (int from = 0; from < wanted.size(); from += IDS_AT_ONCE) {
            Query query = tx.query(IDS).bind("id", conversation.value());
            for (int i = 0; i < IDS_AT_ONCE; i++) {
                query.bind("seq" + i, wanted.get(Math.min(from + i, wanted.size() - 1)));
            }
            query.map((row, _) -> Map.entry(row.getLong(1), row.getString(2)))
                    .forEach(id -> ids.put(id.getKey(), id.getValue()));
        }
        return ids;
    }

    /** Messages with their parents and siblings; {@code numbers} are theirs, in the same order. */
    public List<PersistedMessage> placed(
            Transaction tx,
            ConversationId conversation,
            MessageTree tree,
            List<Long> numbers,
            List<PersistedMessage> messages) {
        Set<Long> others = new HashSet<>();
        Map<Long, String> ids = new HashMap<>();
        for (int i = 0; i < messages.size(); i++) {
            ids.put(numbers.get(i), messages.get(i).id());
            others.add(tree.parent(numbers.get(i)));
            others.addAll(siblings(tree, numbers.get(i)));
        }
        others.removeAll(ids.keySet());
        ids.putAll(ids(tx, conversation, others));
        List<PersistedMessage> placed = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            long seq = numbers.get(i);
            List<String> siblings =
                    siblings(tree, seq).stream().map(ids::get).map(String::valueOf).toList();
            placed.add(messages.get(i).placed(ids.get(tree.parent(seq)), siblings));
        }
        return placed;
    }

    /** All that follow the same message as this one; none if it is the only one. */
    private static List<Long> siblings(MessageTree tree, long seq) {
        List<Long> children = tree.children(tree.parent(seq));
        return children.size() > 1 ? children : List.of();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("id", conversation.value()).execute();
        tx.update(ERASE_HEAD).bind("id", conversation.value()).execute();
    }
}
