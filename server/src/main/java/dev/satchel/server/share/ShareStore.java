package dev.satchel.server.share;

import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.access.UserStore.PersonData;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.snapshot.SnapshotId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** Rows of shares, with the hash of the token of a link. */
public final class ShareStore implements ConversationData, PersonData {
    /** Nothing if the snapshot was deleted meanwhile. */
    private static final String INSERT =
            """
            INSERT INTO chat_share (id, tenant_id, user_id, conversation_id, kind, reader_id, token_hash, title,
                                    head_seq, snapshot_id, created_at, expires_at)
            SELECT :id, c.tenant_id, c.user_id, c.id, :kind, :reader, :token, :title, :head,
                   (SELECT s.id FROM snapshot s WHERE s.id = :snapshot AND s.conversation_id = c.id), :now, :until
              FROM conversation c
             WHERE c.id = :conversation AND c.deleted_at IS NULL
               AND (:hasFiles = 0 OR EXISTS (SELECT 1 FROM snapshot s
                                              WHERE s.id = :snapshot AND s.conversation_id = c.id))
            """;

    private static final String ADD_FILE =
            "INSERT INTO chat_share_file (share_id, file_id) VALUES (:share, :file)";

    /** Ends with the chat, with the person who shares, and at its time. */
    private static final String ACTIVE =
            """
            SELECT s.*, u.name AS by_name
              FROM chat_share s
              JOIN conversation c ON c.id = s.conversation_id
              LEFT JOIN app_user u ON u.tenant_id = s.tenant_id AND u.id = s.user_id
             WHERE c.deleted_at IS NULL AND u.removed_at IS NULL
               AND (s.expires_at IS NULL OR s.expires_at > :now)
            """;

    private static final String FIND_BY_TOKEN = ACTIVE + " AND s.token_hash = :hash";

    private static final String FIND_READABLE =
            ACTIVE
                    + """
                     AND s.id = :id AND s.tenant_id = :tenant
                     AND (s.user_id = :user OR s.kind = 'tenant' OR (s.kind = 'user' AND s.reader_id = :user))
                    """;

    private static final String OF_CHAT =
            ACTIVE
                    + """
                     AND s.conversation_id = :conversation AND s.tenant_id = :tenant AND s.user_id = :user
                     ORDER BY s.created_at, s.id
                    """;

    private static final String WITH_CALLER =
            ACTIVE
                    + """
                     AND s.tenant_id = :tenant AND s.user_id <> :user
                     AND (s.kind = 'tenant' OR (s.kind = 'user' AND s.reader_id = :user))
                     AND (s.created_at < :before OR (s.created_at = :before AND s.id < :beforeId))
                     ORDER BY s.created_at DESC, s.id DESC
                     LIMIT :limit
                    """;

    /** A file that was deleted since is still there: it goes away with its chat. */
    private static final String FILES =
            """
            SELECT b.id, b.name, b.path, b.mime_type, b.size, b.sha256, b.storage_key, b.supersedes
              FROM chat_share_file f JOIN bag_file b ON b.id = f.file_id
             WHERE f.share_id = :share
            """;

    private static final String LIST_FILES = FILES + " ORDER BY b.path, b.id";

    private static final String FIND_FILE = FILES + " AND f.file_id = :file";

    private static final String DELETE = "DELETE FROM chat_share WHERE id = :id";

    private static final String DELETE_FILES = "DELETE FROM chat_share_file WHERE share_id = :id";

    private static final String EXPIRED =
            "SELECT id FROM chat_share WHERE expires_at <= :now LIMIT 500";

    private static final String ALL_OF_CHAT =
            "SELECT id FROM chat_share WHERE conversation_id = :conversation";

    private static final String ALL_WITH_PERSON =
            "SELECT id FROM chat_share WHERE tenant_id = :tenant AND reader_id = :user";

    /** A version of a file that a share shows; {@code supersedes} is the one before. */
    record SharedFile(FileId id, String path, StoredFile stored, @Nullable FileId supersedes) {
        /** Those that no other of them supersedes. */
        static List<SharedFile> newest(List<SharedFile> versions) {
            Set<FileId> before = new HashSet<>();
            for (SharedFile version : versions) {
                FileId superseded = version.supersedes();
                if (superseded != null) {
                    before.add(superseded);
                }
            }
            return versions.stream().filter(file -> !before.contains(file.id())).toList();
        }
    }

    /** False if the chat or its snapshot was deleted meanwhile. */
    boolean insert(Transaction tx, Share share, @Nullable String tokenHash, List<FileId> files) {
        SnapshotId snapshot = share.files();
        boolean inserted =
                tx.update(INSERT)
                                .bind("id", share.id().value())
                                .bind("kind", share.readers().kind())
                                .bind("reader", readerOf(share.readers()))
                                .bind("token", tokenHash)
                                .bind("title", share.title())
                                .bind("head", share.head())
                                .bind("snapshot", snapshot == null ? "" : snapshot.value())
                                .bind("hasFiles", snapshot == null ? 0 : 1)
                                .bind("now", share.createdAt())
                                .bind("until", share.until())
                                .bind("conversation", share.conversation().value())
                                .execute()
                        == 1;
        if (inserted && !files.isEmpty()) {
            PreparedBatch batch = tx.batch(ADD_FILE);
            files.forEach(
                    file ->
                            batch.bind("share", share.id().value())
                                    .bind("file", file.value())
                                    .add());
            int[] _ = batch.execute();
        }
        return inserted;
    }

    private static @Nullable String readerOf(ShareReaders readers) {
        return readers instanceof ShareReaders.Person(UserId user) ? user.value() : null;
    }

    /** The share of a link. */
    Optional<Share> find(Transaction tx, String tokenHash, long now) {
        return tx.query(FIND_BY_TOKEN)
                .bind("hash", tokenHash)
                .bind("now", now)
                .map((row, _) -> share(row))
                .findOne();
    }

    /** A share that the caller has made or may read. */
    Optional<Share> find(Transaction tx, Caller caller, ShareId id, long now) {
        return by(tx.query(FIND_READABLE), caller)
                .bind("id", id.value())
                .bind("now", now)
                .map((row, _) -> share(row))
                .findOne();
    }

    /** What the caller shares of a chat, oldest first. */
    List<Share> ofChat(Transaction tx, Caller caller, ConversationId chat, long now) {
        return by(tx.query(OF_CHAT), caller)
                .bind("conversation", chat.value())
                .bind("now", now)
                .map((row, _) -> share(row))
                .list();
    }

    /** What others share with the caller, newest first. */
    List<Share> withCaller(Transaction tx, Caller caller, PageRequest page, long now) {
        return by(tx.query(WITH_CALLER), caller)
                .bind("before", page.from().time())
                .bind("beforeId", page.from().id())
                .bind("limit", page.limit())
                .bind("now", now)
                .map((row, _) -> share(row))
                .list();
    }

    private static Query by(Query query, Caller caller) {
        return query.bind("tenant", caller.tenant().value()).bind("user", caller.user().value());
    }

    List<SharedFile> files(Transaction tx, ShareId share) {
        return tx.query(LIST_FILES).bind("share", share.value()).map((row, _) -> file(row)).list();
    }

    Optional<SharedFile> file(Transaction tx, ShareId share, FileId file) {
        return tx.query(FIND_FILE)
                .bind("share", share.value())
                .bind("file", file.value())
                .map((row, _) -> file(row))
                .findOne();
    }

    void delete(Transaction tx, ShareId id) {
        int _ = deleteAll(tx, List.of(id.value()));
    }

    /** Deletes shares that have ended: how many; there may be more. */
    int dropExpired(Transaction tx, long now) {
        return deleteAll(tx, tx.query(EXPIRED).bind("now", now).mapTo(String.class).list());
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        Query all = tx.query(ALL_OF_CHAT).bind("conversation", conversation.value());
        int _ = deleteAll(tx, all.mapTo(String.class).list());
    }

    /** Shares with the person; what they share themselves goes away with their chats. */
    @Override
    public int erasePerson(Transaction tx, TenantId tenant, UserId user) {
        Query all = tx.query(ALL_WITH_PERSON).bind("tenant", tenant.value());
        return deleteAll(tx, all.bind("user", user.value()).mapTo(String.class).list());
    }

    private static int deleteAll(Transaction tx, List<String> ids) {
        for (String id : ids) {
            tx.update(DELETE_FILES).bind("id", id).execute();
            tx.update(DELETE).bind("id", id).execute();
        }
        return ids.size();
    }

    private static Share share(ResultSet row) throws SQLException {
        String snapshot = row.getString("snapshot_id");
        long until = row.getLong("expires_at");
        boolean isForever = row.wasNull();
        return new Share(
                new ShareId(row.getString("id")),
                new TenantId(row.getString("tenant_id")),
                new UserId(row.getString("user_id")),
                row.getString("by_name"),
                new ConversationId(row.getString("conversation_id")),
                readers(row),
                row.getString("title"),
                row.getLong("head_seq"),
                snapshot == null ? null : new SnapshotId(snapshot),
                row.getLong("created_at"),
                isForever ? null : until);
    }

    private static ShareReaders readers(ResultSet row) throws SQLException {
        return switch (row.getString("kind")) {
            case "link" -> new ShareReaders.Link();
            case "tenant" -> new ShareReaders.Tenant();
            default -> new ShareReaders.Person(new UserId(row.getString("reader_id")));
        };
    }

    private static SharedFile file(ResultSet row) throws SQLException {
        String before = row.getString("supersedes");
        return new SharedFile(
                new FileId(row.getString("id")),
                row.getString("path"),
                new StoredFile(
                        row.getString("name"),
                        row.getString("mime_type"),
                        row.getLong("size"),
                        row.getString("sha256"),
                        new ObjectKey(row.getString("storage_key"))),
                before == null ? null : new FileId(before));
    }
}
