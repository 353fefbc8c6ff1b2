package dev.satchel.server.storage;

import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.snapshot.Pack;
import java.sql.ResultSet;
import java.sql.SQLException;
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
            SELECT conversation_id,
                   SUM(CASE WHEN deleted_at IS NULL THEN 1 ELSE 0 END) AS files,
                   SUM(CASE WHEN deleted_at IS NULL THEN size ELSE 0 END) AS bytes,
                   SUM(CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END) AS deleted_files,
                   SUM(CASE WHEN deleted_at IS NULL THEN 0 ELSE size END) AS deleted_bytes
              FROM bag_file
             WHERE tenant_id = :tenant AND arrived_at IS NOT NULL
             GROUP BY conversation_id
            """;

    private static final String SNAPSHOTS =
            """
            SELECT conversation_id, packs, COUNT(*) AS snapshots FROM snapshot
             WHERE tenant_id = :tenant
             GROUP BY conversation_id, packs
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

    /** The files of a conversation, or those of all runs without one. */
    record BagUsage(@Nullable ConversationId conversation, UsageTotal files, UsageTotal deleted) {}

    List<BagUsage> bags(Transaction tx, TenantId tenant) {
        return tx.query(BAGS).bind("tenant", tenant.value()).map((row, _) -> bag(row)).list();
    }

    /** Snapshots of a conversation share packs. Each pack counts once. */
    Map<ConversationId, UsageTotal> snapshots(Transaction tx, TenantId tenant) {
        Map<ConversationId, UsageTotal> uses = new HashMap<>();
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
                            uses.merge(
                                    some.conversation,
                                    new UsageTotal(some.count, bytes),
                                    UsageTotal::plus);
                        });
        return uses;
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
    private record SnapshotGroup(ConversationId conversation, List<Pack> packs, long count) {}

    private static UsageTotal use(Transaction tx, String sql, TenantId tenant) {
        return tx.query(sql).bind("tenant", tenant.value()).map((row, _) -> use(row, "")).one();
    }

    private static UsageTotal use(ResultSet row, String prefix) throws SQLException {
        return new UsageTotal(row.getLong(prefix + "files"), row.getLong(prefix + "bytes"));
    }

    private static BagUsage bag(ResultSet row) throws SQLException {
        String conversation = row.getString("conversation_id");
        return new BagUsage(
                conversation == null ? null : new ConversationId(conversation),
                use(row, ""),
                use(row, "deleted_"));
    }

    private static SnapshotGroup snapshots(ResultSet row) throws SQLException {
        return new SnapshotGroup(
                new ConversationId(row.getString("conversation_id")),
                Json.MAPPER.readValue(row.getString("packs"), PACKS),
                row.getLong("snapshots"));
    }

    private static ConversationUsage.Name name(ResultSet row) throws SQLException {
        return new ConversationUsage.Name(
                row.getString("title"), row.getObject("deleted_at") != null);
    }
}
