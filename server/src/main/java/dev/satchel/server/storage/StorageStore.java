package dev.satchel.server.storage;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.snapshot.Pack;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/** Sums over the rows of files. It reads no object. */
final class StorageStore {
    private static final String BAGS =
            """
            SELECT CASE WHEN c.type = 'run' THEN NULL ELSE c.id END AS chat,
                   SUM(CASE WHEN b.deleted_at IS NULL THEN 1 ELSE 0 END) AS files,
                   SUM(CASE WHEN b.deleted_at IS NULL THEN b.size ELSE 0 END) AS bytes,
                   SUM(CASE WHEN b.deleted_at IS NULL THEN 0 ELSE 1 END) AS deleted_files,
                   SUM(CASE WHEN b.deleted_at IS NULL THEN 0 ELSE b.size END) AS deleted_bytes
              FROM bag_file b JOIN conversation c ON c.id = b.conversation_id
             WHERE b.tenant_id = :tenant AND b.arrived_at IS NOT NULL
             GROUP BY CASE WHEN c.type = 'run' THEN NULL ELSE c.id END
            """;

    private static final String SNAPSHOTS =
            """
            SELECT s.conversation_id, c.type, s.packs, COUNT(*) AS snapshots
              FROM snapshot s JOIN conversation c ON c.id = s.conversation_id
             WHERE s.tenant_id = :tenant
             GROUP BY s.conversation_id, c.type, s.packs
            """;

    private static final String ASSETS =
            """
            SELECT COUNT(*) AS files, COALESCE(SUM(size), 0) AS bytes
              FROM asset WHERE tenant_id = :tenant
            """;

    private static final String UPLOADS =
            """
            SELECT COUNT(*) AS files,
                   COALESCE(SUM(u.size + (SELECT COALESCE(SUM(p.size), 0)
                                            FROM upload_part p WHERE p.upload_id = u.id)), 0) AS bytes
              FROM upload u
             WHERE u.tenant_id = :tenant AND u.conversation_id IS NULL
            """;

    private static final String STAGED =
            """
            SELECT COUNT(*) AS files, COALESCE(SUM(s.size), 0) AS bytes
              FROM staged_asset s JOIN conversation c ON c.id = s.conversation_id
             WHERE c.tenant_id = :tenant
            """;

    private static final String NAME = "SELECT title, deleted_at FROM conversation WHERE id = :id";

    private static final TypeReference<List<Pack>> PACKS = new TypeReference<>() {};

    /** The files of a chat, or those of all headless runs. */
    record BagUsage(@Nullable ConversationId chat, UsageTotal files, UsageTotal deleted) {}

    List<BagUsage> bags(Transaction tx, TenantId tenant) {
        return tx.query(BAGS).bind("tenant", tenant.value()).map((row, _) -> bag(row)).list();
    }

    /** The snapshots of each chat, and those of all headless runs together. */
    record SnapshotUsage(Map<ConversationId, UsageTotal> chats, UsageTotal runs) {}

    /** Snapshots of a conversation share packs. Each pack counts once. */
    SnapshotUsage snapshots(Transaction tx, TenantId tenant) {
        Map<ConversationId, UsageTotal> chats = new HashMap<>();
        List<UsageTotal> runs = new ArrayList<>();
        Set<String> counted = new HashSet<>(); // the name of a pack has the id of its snapshot
        tx.query(SNAPSHOTS)
                .bind("tenant", tenant.value())
                .map((row, _) -> snapshots(row))
                .forEach(
                        some -> {
                            long bytes =
                                    some.packs.stream()
                                            .filter(pack -> counted.add(pack.name()))
                                            .mapToLong(Pack::size)
                                            .sum();
                            UsageTotal use = new UsageTotal(some.count, bytes);
                            if (some.isOfRun) {
                                runs.add(use);
                            } else {
                                chats.merge(some.conversation, use, UsageTotal::plus);
                            }
                        });
        return new SnapshotUsage(chats, UsageTotal.sum(runs));
    }

    /** Includes deleted assets whose bytes still exist. */
    UsageTotal assets(Transaction tx, TenantId tenant) {
        return use(tx, ASSETS, tenant);
    }

    /** Unclaimed uploads, incomplete ones included. */
    UsageTotal uploads(Transaction tx, TenantId tenant) {
        return use(tx, UPLOADS, tenant);
    }

    UsageTotal staged(Transaction tx, TenantId tenant) {
        return use(tx, STAGED, tenant);
    }

    ConversationUsage.Name name(Transaction tx, ConversationId id) {
        return tx.query(NAME).bind("id", id.value()).map((row, _) -> name(row)).one();
    }

    /** Snapshots with the same packs. */
    private record SnapshotGroup(
            ConversationId conversation, boolean isOfRun, List<Pack> packs, long count) {}

    private static UsageTotal use(Transaction tx, String sql, TenantId tenant) {
        return tx.query(sql).bind("tenant", tenant.value()).map((row, _) -> use(row, "")).one();
    }

    private static UsageTotal use(ResultSet row, String prefix) throws SQLException {
        return new UsageTotal(row.getLong(prefix + "files"), row.getLong(prefix + "bytes"));
    }

    private static BagUsage bag(ResultSet row) throws SQLException {
        String chat = row.getString("chat");
        return new BagUsage(
                chat == null ? null : new ConversationId(chat),
                use(row, ""),
                use(row, "deleted_"));
    }

    private static SnapshotGroup snapshots(ResultSet row) throws SQLException {
        return new SnapshotGroup(
                new ConversationId(row.getString("conversation_id")),
                row.getString("type").equals("run"),
                Json.MAPPER.readValue(row.getString("packs"), PACKS),
                row.getLong("snapshots"));
    }

    private static ConversationUsage.Name name(ResultSet row) throws SQLException {
        return new ConversationUsage.Name(
                row.getString("title"), row.getObject("deleted_at") != null);
    }
}
