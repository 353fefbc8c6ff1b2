package dev.satchel.server.mcp;

import dev.satchel.server.access.CallerCredential;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.ConversationData;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of token hashes: at most one active token per conversation, and ended ones. */
final class McpTokenStore implements ConversationData {
    private static final String ERASE =
            "DELETE FROM mcp_token WHERE conversation_id = :conversation";

    private static final String END =
            "UPDATE mcp_token SET ended = :ended WHERE conversation_id = :conversation AND ended IS"
                    + " NULL";

    /** Of two tokens issued at once the later one stays; none for a deleted conversation. */
    private static final String INSERT =
            """
            INSERT INTO mcp_token (hash, tenant_id, conversation_id, may_answer, opened_by, created_at, expires_at)
            SELECT :hash, :tenant, c.id, CAST(:answers AS INTEGER), :openedBy, :now, :expires FROM conversation c
             WHERE c.id = :conversation AND c.deleted_at IS NULL
            ON CONFLICT (conversation_id) WHERE ended IS NULL DO UPDATE
               SET hash = excluded.hash, may_answer = excluded.may_answer, opened_by = excluded.opened_by,
                   created_at = excluded.created_at, expires_at = excluded.expires_at
            """;

    /**
     * The token is refused when its conversation was deleted, when its person was removed or may
     * only read, and when the key or browser session that made it has ended.
     */
    private static final String FIND =
            """
            SELECT t.tenant_id, COALESCE(c.user_id, 'owner') AS user_id, t.conversation_id, t.may_answer, t.expires_at,
                   COALESCE(t.opened_by, 'server') AS opened_by,
                   CASE WHEN t.ended IS NOT NULL THEN t.ended
                        WHEN c.id IS NULL OR c.deleted_at IS NOT NULL THEN 'session_deleted'
                        WHEN EXISTS (SELECT 1 FROM app_user u
                                      WHERE u.tenant_id = c.tenant_id AND u.id = c.user_id
                                        AND u.removed_at IS NOT NULL) THEN 'person_removed'
                        WHEN EXISTS (SELECT 1 FROM app_user u
                                      WHERE u.tenant_id = c.tenant_id AND u.id = c.user_id
                                        AND u.role = 'viewer') THEN 'role'
                        WHEN t.expires_at < :now THEN 'expired'
                        WHEN t.opened_by LIKE 'key:%'
                             AND NOT EXISTS (SELECT 1 FROM api_key k
                                              WHERE k.id = substr(t.opened_by, 5) AND k.revoked_at IS NULL
                                                AND (k.expires_at IS NULL OR k.expires_at > :now)) THEN 'credential_ended'
                        WHEN t.opened_by LIKE 'session:%'
                             AND NOT EXISTS (SELECT 1 FROM browser_session s
                                              WHERE s.tenant_id = t.tenant_id AND s.expires_at > :now
                                                AND s.hash >= substr(t.opened_by, 9)
                                                AND s.hash < substr(t.opened_by, 9) || 'g') THEN 'credential_ended'
                   END AS refusal
              FROM mcp_token t LEFT JOIN conversation c ON c.id = t.conversation_id
             WHERE t.hash = :hash
            """;

    private static final String EXTEND =
            "UPDATE mcp_token SET expires_at = :expires WHERE hash = :hash AND opened_by IS NOT"
                    + " NULL";

    private static final String DROP_EXPIRED = "DELETE FROM mcp_token WHERE expires_at < :now";

    /** The session of a token, and why the token is refused, if it is. */
    record Bound(McpSession session, long expiresAt, @Nullable String refusal) {}

    /** Ends the active token of a conversation; false when it has none. */
    boolean end(Transaction tx, ConversationId conversation, String how) {
        return tx.update(END)
                        .bind("ended", how)
                        .bind("conversation", conversation.value())
                        .execute()
                > 0;
    }

    /** False when the conversation does not exist any more. */
    boolean insert(Transaction tx, String hash, McpSession session, long now, long expires) {
        return tx.update(INSERT)
                        .bind("hash", hash)
                        .bind("tenant", session.tenant().value())
                        .bind("conversation", session.conversation().value())
                        .bind("answers", session.mayAnswer() ? 1 : 0)
                        .bind("openedBy", session.openedBy().value())
                        .bind("now", now)
                        .bind("expires", expires)
                        .execute()
                == 1;
    }

    Optional<Bound> find(Transaction tx, String hash, long now) {
        return tx.query(FIND)
                .bind("hash", hash)
                .bind("now", now)
                .map((row, _) -> bound(row))
                .findOne();
    }

    void extend(Transaction tx, String hash, long expires) {
        tx.update(EXTEND).bind("hash", hash).bind("expires", expires).execute();
    }

    void dropExpired(Transaction tx, long now) {
        tx.update(DROP_EXPIRED).bind("now", now).execute();
    }

    @Override
    public void erase(Transaction tx, ConversationId conversation) {
        tx.update(ERASE).bind("conversation", conversation.value()).execute();
    }

    private static Bound bound(ResultSet row) throws SQLException {
        return new Bound(
                new McpSession(
                        new TenantId(row.getString("tenant_id")),
                        new UserId(row.getString("user_id")),
                        new ConversationId(row.getString("conversation_id")),
                        row.getInt("may_answer") != 0,
                        new CallerCredential(row.getString("opened_by"))),
                row.getLong("expires_at"),
                row.getString("refusal"));
    }
}
