package dev.satchel.torture.harness;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Databases;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The keys of all objects that a row refers to. */
final class ReferencedObjects {
    private static final String KEYS =
            """
            SELECT storage_key FROM bag_file WHERE arrived_at IS NOT NULL AND deleted_at IS NULL
            UNION SELECT storage_key FROM asset
            UNION SELECT storage_key FROM upload WHERE conversation_id IS NULL
            UNION SELECT storage_key FROM upload_part
            UNION SELECT storage_key FROM staged_asset
            """;

    private static final String SNAPSHOTS =
            """
            SELECT 'workspace-snapshots/' || tenant_id || '/' || conversation_id || '/' AS folder,
                   manifest, packs
              FROM snapshot
            """;

    private record Row(String folder, String manifest, String packs) {}

    private ReferencedObjects() {}

    static Set<String> of(ServerUnderTest server) {
        try (Database database = open(server)) {
            Set<String> keys =
                    new HashSet<>(database.read(tx -> tx.query(KEYS).mapTo(String.class).list()));
            for (Row row :
                    database.read(
                            tx ->
                                    tx.query(SNAPSHOTS)
                                            .map(
                                                    (found, _) ->
                                                            new Row(
                                                                    found.getString("folder"),
                                                                    found.getString("manifest"),
                                                                    found.getString("packs")))
                                            .list())) {
                keys.add(row.folder() + row.manifest());
                Json.MAPPER
                        .readTree(row.packs())
                        .forEach(pack -> keys.add(row.folder() + pack.get("name").stringValue()));
            }
            return keys;
        }
    }

    private static Database open(ServerUnderTest server) {
        @Nullable String url = server.variables().get("DATABASE_URL");
        return url == null
                ? Databases.sqlite(server.data().resolve("satchel.db"))
                : Databases.postgresql(URI.create(url));
    }
}
