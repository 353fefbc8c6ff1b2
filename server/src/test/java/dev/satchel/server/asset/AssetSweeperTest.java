package dev.satchel.server.asset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AssetSweeperTest {
    private static final Clock NOW = Clock.systemUTC();
    private static final Clock NEXT_WEEK = Clock.offset(NOW, Duration.ofDays(7));
    private static final ObjectKey ORPHAN =
            Asset.key(TenantId.DEFAULT, AssetId.random(), "orphan.txt");

    private static final ObjectKey STRANGER = ObjectKey.of(Asset.AREA, "read-me.txt");

    private final AssetStore store = new AssetStore();

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void oldBytesWithoutARowAreDeleted(Dialect dialect, @TempDir Path folder) throws Exception {
        try (Database database = database(dialect);
                ObjectStore objects = new LocalObjectStore(folder)) {
            put(objects, ORPHAN);
            put(objects, STRANGER);
            Asset saved = save(database, objects);

            sweep(database, objects, NOW);
            assertThat(objects.size(ORPHAN)).isPresent();
            sweep(database, objects, NEXT_WEEK);

            assertThat(objects.size(ORPHAN)).isEmpty();
            assertThat(objects.size(STRANGER)).isPresent();
            assertThat(objects.size(saved.file().key())).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aDeletionThatACrashCutShortIsFinished(Dialect dialect, @TempDir Path folder)
            throws Exception {
        try (Database database = database(dialect);
                ObjectStore objects = new LocalObjectStore(folder)) {
            Asset deleted = save(database, objects);
            database.change(tx -> store.hide(tx, deleted, NOW.millis()));

            sweep(database, objects, NOW);

            assertThat(objects.size(deleted.file().key())).isEmpty();
            Set<AssetId> existing = database.read(tx -> store.existing(tx, List.of(deleted.id())));
            assertThat(existing).isEmpty();
        }
    }

    private static Database database(Dialect dialect) {
        Database database = TestDatabases.fresh(dialect);
        new ApiKeys(database, new AccessStore(), NOW).create(TenantId.DEFAULT, "makes the tenant");
        return database;
    }

    private AssetService assets(Database database, ObjectStore objects, Clock clock) {
        return new AssetService(
                database, store, objects, new BagLimits(1 << 20, 10, 1 << 20), clock);
    }

    private void sweep(Database database, ObjectStore objects, Clock clock) {
        new AssetSweeper(database, store, objects, assets(database, objects, clock), clock).sweep();
    }

    private Asset save(Database database, ObjectStore objects) throws IOException {
        ObjectKey source = ObjectKey.of("elsewhere", "a.txt");
        StoredObject stored = put(objects, source);
        return assets(database, objects, NOW)
                .save(
                        TenantId.DEFAULT,
                        new StoredFile(
                                "a.txt", "text/plain", stored.size(), stored.sha256(), source));
    }

    private static StoredObject put(ObjectStore objects, ObjectKey key) throws IOException {
        return objects.put(key, new ByteArrayInputStream(new byte[] {1, 2, 3}));
    }
}
