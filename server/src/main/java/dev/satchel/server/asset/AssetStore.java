package dev.satchel.server.asset;

import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileNames;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.search.SearchIndexStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.statement.Query;

/** Rows of assets. Deleting hides the row; it is removed after the bytes are deleted. */
public final class AssetStore {
    private static final String INSERT =
            """
            INSERT INTO asset (id, tenant_id, name, search_name, mime_type, size, sha256, storage_key, created_at)
            VALUES (:id, :tenant, :name, :searchName, :type, :size, :sha256, :key, :now)
            """;

    private static final String PAGE =
            """
            SELECT * FROM asset
             WHERE tenant_id = :tenant AND deleted_at IS NULL AND search_name LIKE :pattern ESCAPE '!'
               AND (created_at < :created OR (created_at = :created AND id < :id))
             ORDER BY created_at DESC, id DESC
             LIMIT :limit
            """;

    private static final String FIND =
            "SELECT * FROM asset WHERE id = :id AND tenant_id = :tenant AND deleted_at IS NULL";

    private static final String HIDE =
            """
            UPDATE asset SET deleted_at = :now
             WHERE id = :id AND tenant_id = :tenant AND deleted_at IS NULL
            """;

    private static final String REMOVE =
            "DELETE FROM asset WHERE id = :id AND deleted_at IS NOT NULL";

    private static final String HIDDEN =
            "SELECT * FROM asset WHERE deleted_at IS NOT NULL AND id > :after ORDER BY id LIMIT 1000";

    /** The number of ids is fixed, so that there is one statement to prepare. */
    static final int MAX_IDS = 256;

    private static final String EXISTING =
            "SELECT id FROM asset WHERE id IN ("
                    + IntStream.range(0, MAX_IDS)
                            .mapToObj(i -> ":id" + i)
                            .collect(Collectors.joining(", "))
                    + ")";

    private final SearchIndexStore index = new SearchIndexStore();

    void insert(Transaction tx, Asset asset) {
        StoredFile file = asset.file();
        tx.update(INSERT)
                .bind("id", asset.id().value())
                .bind("tenant", asset.tenant().value())
                .bind("name", file.name())
                .bind("searchName", FileNames.key(file.name()))
                .bind("type", file.mimeType())
                .bind("size", file.size())
                .bind("sha256", file.sha256())
                .bind("key", file.key().value())
                .bind("now", asset.createdAt())
                .execute();
        index.addAsset(tx, asset.id().value(), file.name(), asset.createdAt());
    }

    /**
     * Newest first; only those whose name contains the text, in any case. We convert names to lower
     * case, since the two databases differ for letters outside of ASCII.
     */
    public List<Asset> page(Transaction tx, TenantId tenant, String text, PageRequest page) {
        return tx.query(PAGE)
                .bind("tenant", tenant.value())
                .bind("pattern", "%" + literal(FileNames.key(text)) + "%")
                .bind("created", page.from().time())
                .bind("id", page.from().id())
                .bind("limit", page.limit())
                .map((row, _) -> asset(row))
                .list();
    }

    public Optional<Asset> find(Transaction tx, TenantId tenant, AssetId id) {
        return tx.query(FIND)
                .bind("id", id.value())
                .bind("tenant", tenant.value())
                .map((row, _) -> asset(row))
                .findOne();
    }

    boolean hide(Transaction tx, Asset asset, long now) {
        return tx.update(HIDE)
                        .bind("id", asset.id().value())
                        .bind("tenant", asset.tenant().value())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    /** Deletes the row of a hidden asset. */
    void remove(Transaction tx, AssetId id) {
        tx.update(REMOVE).bind("id", id.value()).execute();
        index.removeAsset(tx, id.value());
    }

    /** A page of the deleted assets after an id. */
    List<Asset> hidden(Transaction tx, String after) {
        return tx.query(HIDDEN).bind("after", after).map((row, _) -> asset(row)).list();
    }

    /** Those of at most {@link #MAX_IDS} ids that have a row, hidden or not. */
    Set<AssetId> existing(Transaction tx, List<AssetId> ids) {
        Query query = tx.query(EXISTING);
        for (int i = 0; i < MAX_IDS; i++) {
            query.bind("id" + i, ids.get(Math.min(i, ids.size() - 1)).value());
        }
        return query.map((row, _) -> new AssetId(row.getString("id"))).set();
    }

    private static String literal(String text) {
        return text.replace("!", "!!").replace("%", "!%").replace("_", "!_");
    }

    private static Asset asset(ResultSet row) throws SQLException {
        return new Asset(
                new AssetId(row.getString("id")),
                new TenantId(row.getString("tenant_id")),
                new StoredFile(
                        row.getString("name"),
                        row.getString("mime_type"),
                        row.getLong("size"),
                        row.getString("sha256"),
                        new ObjectKey(row.getString("storage_key"))),
                row.getLong("created_at"));
    }
}
