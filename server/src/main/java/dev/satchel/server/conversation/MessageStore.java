package dev.satchel.server.conversation;

import dev.satchel.protocol.Json;
import dev.satchel.protocol.NotHandedOver;
import dev.satchel.server.conversation.MessageTree.Span;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.search.SearchIndexStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.type.TypeReference;

/** Rows of messages. */
public final class MessageStore implements ConversationData {
    private static final String INSERT =
            """
            INSERT INTO message (conversation_id, seq, id, role, content, attachments, not_handed_over, run_id,
                                 created_at)
            VALUES (:conversation, :seq, :id, :role, :content, :attachments, :notHandedOver, :run, :now)
            """;

    private static final String SEQ_OF =
            "SELECT seq FROM message WHERE conversation_id = :conversation AND id = :id";

    /** Ends where the messages are large together, but has at least one. */
    private static final String NEWEST =
            """
            SELECT message.*, OCTET_LENGTH(content) AS size,
                   (SELECT workspace_pending_run FROM conversation WHERE id = :conversation) AS pending
              FROM message
             WHERE conversation_id = :conversation AND seq >= :first AND seq <= :last
               AND seq >= (SELECT MIN(seq) FROM
                            (SELECT seq, SUM(size) OVER (ORDER BY seq DESC) - size AS later FROM
                              (SELECT seq, OCTET_LENGTH(content) AS size FROM message
                                WHERE conversation_id = :conversation AND seq >= :first AND seq <= :last
                                ORDER BY seq DESC LIMIT :limit) AS sizes) AS sums
                          WHERE later < :bytes)
             ORDER BY seq DESC
            """;

    private static final String OLDEST =
            """
            SELECT message.*, OCTET_LENGTH(content) AS size,
                   (SELECT workspace_pending_run FROM conversation WHERE id = :conversation) AS pending
              FROM message
             WHERE conversation_id = :conversation AND seq >= :first AND seq <= :last
               AND seq <= (SELECT MAX(seq) FROM
                            (SELECT seq, SUM(size) OVER (ORDER BY seq) - size AS earlier FROM
                              (SELECT seq, OCTET_LENGTH(content) AS size FROM message
                                WHERE conversation_id = :conversation AND seq >= :first AND seq <= :last
                                ORDER BY seq LIMIT :limit) AS sizes) AS sums
                          WHERE earlier < :bytes)
             ORDER BY seq
            """;

    /** Of a page, so that readers of long threads do not fill the memory. */
    private static final int PAGE_BYTES = 4 * 1024 * 1024;

    private static final String ERASE = "DELETE FROM message WHERE conversation_id = :conversation";

    private static final TypeReference<List<ContentBlock>> BLOCKS = new TypeReference<>() {};
    private static final TypeReference<List<FileAttachment>> ATTACHMENTS = new TypeReference<>() {};
    private static final TypeReference<List<NotHandedOver>> NOT_HANDED_OVER =
            new TypeReference<>() {};

    private final SearchIndexStore index = new SearchIndexStore();

    void insert(Transaction tx, ConversationId conversation, long seq, PersistedMessage message) {
        tx.update(INSERT)
                .bind("conversation", conversation.value())
                .bind("seq", seq)
                .bind("id", message.id())
                .bind("role", message.role().wireName())
                .bind(
                        "content",
                        Json.MAPPER.writerFor(BLOCKS).writeValueAsString(message.content()))
                .bind("attachments", Json.MAPPER.writeValueAsString(message.fileAttachments()))
                .bind("notHandedOver", Json.MAPPER.writeValueAsString(message.notHandedOver()))
                .bind("run", message.runId())
                .bind("now", message.createdAt())
                .execute();
        addToIndex(tx, conversation, message);
    }

    /** What people and assistants wrote can be searched; thoughts and steps cannot. */
    private void addToIndex(Transaction tx, ConversationId conversation, PersistedMessage message) {
        String text = searched(message.content());
        index.addMessage(tx, conversation.value(), message.id(), text, message.createdAt());
    }

    /** What can be searched of a stored message. */
    public static String searched(String content) {
        return searched(Json.MAPPER.<List<ContentBlock>>readValue(content, BLOCKS));
    }

    private static String searched(List<ContentBlock> content) {
        return content.stream()
                .flatMap(
                        block ->
                                switch (block) {
                                    case ContentBlock.Text(String text) -> Stream.of(text);
                                    case ContentBlock.Steer(_, String text) -> Stream.of(text);
                                    case ContentBlock.Thinking _,
                                            ContentBlock.Step _,
                                            ContentBlock.Stopped _,
                                            ContentBlock.Usage _,
                                            ContentBlock.End _ ->
                                            Stream.empty();
                                })
                .collect(Collectors.joining("\n\n"));
    }

    public OptionalLong seqOf(Transaction tx, ConversationId conversation, MessageId message) {
        return tx.query(SEQ_OF)
                .bind("conversation", conversation.value())
                .bind("id", message.value())
                .mapTo(Long.class)
                .findOne()
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /**
     * The newest messages of a path, newest first; fewer than {@code limit} if they are large, and
     * none only if there is none.
     *
     * @param path its spans, the newest first
     */
    public List<PersistedMessage> newest(
            Transaction tx, ConversationId conversation, List<Span> path, int limit) {
        return read(tx, NEWEST, conversation, path, limit);
    }

    /** The message with a number. */
    public PersistedMessage get(Transaction tx, ConversationId conversation, long seq) {
        return newest(tx, conversation, List.of(new Span(seq, seq)), 1).getFirst();
    }

    /**
     * The oldest messages of a path, oldest first; as above.
     *
     * @param path its spans, the oldest first
     */
    public List<PersistedMessage> oldest(
            Transaction tx, ConversationId conversation, List<Span> path, int limit) {
        return read(tx, OLDEST, conversation, path, limit);
    }

    private static List<PersistedMessage> read(
            Transaction tx, String sql, ConversationId conversation, List<Span> path, int limit) {
        List<PersistedMessage> messages = new ArrayList<>();
        long bytes = PAGE_BYTES;
        for (Span span : path) {
            int rest = limit - messages.size();
            if (rest <= 0 || bytes <= 0) {
                break;
            }
            List<Sized> found =
                    tx.query(sql)
                            .bind("conversation", conversation.value())
                            .bind("first", span.first())
                            .bind("last", span.last())
                            .bind("limit", rest)
                            .bind("bytes", bytes)
                            .map((row, _) -> new Sized(message(row), row.getLong("size")))
                            .list();
            found.forEach(sized -> messages.add(sized.message()));
            if (found.size() < Math.min(rest, span.length())) {
                break; // they are large
            }
            bytes -= found.stream().mapToLong(Sized::size).sum();
        }
        return messages;
    }

    /** A message, and the bytes of its content. */
    private record Sized(PersistedMessage message, long size) {}

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    private static PersistedMessage message(ResultSet row) throws SQLException {
        String run = row.getString("run_id");
        boolean pending = run != null && run.equals(row.getString("pending"));
        return new PersistedMessage(
                row.getString("id"),
                Role.of(row.getString("role")),
                Json.MAPPER.readValue(row.getString("content"), BLOCKS),
                Json.MAPPER.readValue(row.getString("attachments"), ATTACHMENTS),
                Json.MAPPER.readValue(row.getString("not_handed_over"), NOT_HANDED_OVER),
                run,
                row.getLong("created_at"),
                pending ? PersistedMessage.PENDING : null);
    }
}
