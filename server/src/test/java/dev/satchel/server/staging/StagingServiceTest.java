package dev.satchel.server.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.satchel.http.SatchelException;
import dev.satchel.server.access.AccessStore;
import dev.satchel.server.access.ApiKeys;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.MovableClock;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.asset.Asset;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.asset.AssetStore;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.database.TestDatabases;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.LocalObjectStore;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On SQLite; PostgreSQL has the same tests in a class of its own. */
class StagingServiceTest {
    private static final Duration MAX_AGE = Duration.ofHours(24);
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final BagLimits LIMITS = new BagLimits(1000, 10, 2000);

    private final MovableClock clock = new MovableClock();
    private final ConversationId conversation = ConversationId.random();
    private final StagedAssetStore store = new StagedAssetStore();

    @TempDir private Path folder;
    private Database database;
    private ObjectStore objects;
    private AssetService assets;
    private StagingService staging;

    @BeforeEach
    void open() throws IOException {
        database = TestDatabases.fresh(dialect());
        objects = new LocalObjectStore(folder);
        new ApiKeys(database, new AccessStore(), clock)
                .create(TenantId.DEFAULT, "makes the tenant");
        database.change(
                tx ->
                        new ConversationStore()
                                .create(
                                        tx,
                                        Caller.owner(TenantId.DEFAULT),
                                        conversation,
                                        null,
                                        null,
                                        clock.millis()));
        assets = new AssetService(database, new AssetStore(), objects, LIMITS, clock);
        staging = new StagingService(database, store, assets, objects, MAX_AGE, clock);
    }

    Dialect dialect() {
        return Dialect.SQLITE;
    }

    @AfterEach
    void close() {
        objects.close();
        database.close();
    }

    @Test
    void aCopyIsDeletedWhenItReachesItsAge() throws Exception {
        StagedAsset staged = stage(asset("a.csv", "1"));

        clock.advance(MAX_AGE.minus(MOMENT));
        staging.sweep();
        assertThat(objects.size(staged.file().key())).hasValue(1);

        clock.advance(MOMENT.multipliedBy(2));
        staging.sweep();
        assertThat(objects.size(staged.file().key())).isEmpty();
        assertThat(staged()).isEmpty();
    }

    @Test
    void theAgeIsCountedFromTheStagingAndNotFromTheAsset() throws Exception {
        Asset old = asset("a.csv", "1");
        clock.advance(Duration.ofDays(20_000));
        StagedAsset staged = stage(old);

        clock.advance(MAX_AGE.minus(MOMENT));
        staging.sweep();

        assertThat(objects.size(staged.file().key())).hasValue(1);
    }

    @Test
    void stagingAgainResetsTheAge() throws Exception {
        Asset asset = asset("a.csv", "1");
        stage(asset);
        clock.advance(MAX_AGE);
        StagedAsset again = stage(asset);

        clock.advance(MAX_AGE);
        staging.sweep();

        assertThat(objects.size(again.file().key())).hasValue(1);
        assertThat(staged()).containsExactly(again);
    }

    @Test
    void sweepingDeletesOnlyOldCopies() throws Exception {
        ObjectKey upload = ObjectKey.of(conversation.value(), "uploaded", "a.csv");
        objects.put(upload, new ByteArrayInputStream(new byte[3]));
        Asset asset = asset("a.csv", "1");
        stage(asset);

        clock.advance(Duration.ofDays(365));
        staging.sweep();

        assertThat(objects.size(upload)).hasValue(3);
        assertThat(objects.size(asset.file().key())).hasValue(1);
    }

    @Test
    void oneSweepDeletesAllOldCopies() {
        database.change(
                tx -> {
                    for (int i = 0; i < 11; i++) {
                        ConversationId other = ConversationId.random();
                        new ConversationStore()
                                .create(
                                        tx,
                                        Caller.owner(TenantId.DEFAULT),
                                        other,
                                        null,
                                        null,
                                        clock.millis());
                        for (int j = 0; j < 100; j++) {
                            insertCopy(tx, other);
                        }
                    }
                });

        clock.advance(MAX_AGE.plus(MOMENT));
        staging.sweep();

        String count = "SELECT COUNT(*) FROM staged_asset";
        assertThat(database.<Long>read(tx -> tx.query(count).mapTo(Long.class).one())).isZero();
    }

    private void insertCopy(Transaction tx, ConversationId of) {
        String id = UUID.randomUUID().toString();
        tx.update(
                        """
                        INSERT INTO staged_asset VALUES (:conversation, :asset, 'a.csv', 'text/csv', 1, '', :key, :now)
                        """)
                .bind("conversation", of.value())
                .bind("asset", id)
                .bind("key", of.value() + "/staged/" + id)
                .bind("now", clock.millis())
                .execute();
    }

    @Test
    void aCopyIsCalledByTheAssetsIdAndItsName() throws Exception {
        Asset asset = asset("ä".repeat(120) + ".csv", "1");
        StagedAsset staged = stage(asset);

        assertThat(staged.file().name()).startsWith(asset.id().value() + "-").endsWith("ä.csv");
        assertThat(staged.file().name().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(255);
        assertThat(staged.file().key().value())
                .isEqualTo(conversation.value() + "/staged/" + staged.file().name());
    }

    @Test
    void stagingBeyondTheLimitIsRefused() throws Exception {
        stage(asset("a.csv", "x".repeat(1000)));
        stage(asset("b.csv", "x".repeat(1000)));
        Asset third = asset("c.csv", "x");

        assertThatThrownBy(() -> stage(third)).isInstanceOf(SatchelException.class);
    }

    private StagedAsset stage(Asset asset) throws IOException {
        return staging.stage(TenantId.DEFAULT, conversation, asset.id().value());
    }

    private List<StagedAsset> staged() {
        return database.read(tx -> store.list(tx, conversation));
    }

    private Asset asset(String name, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        ObjectKey key = new ObjectKey("source/" + ConversationId.random().value());
        String sha256 = objects.put(key, new ByteArrayInputStream(bytes)).sha256();
        Asset asset =
                assets.save(
                        TenantId.DEFAULT,
                        new StoredFile(name, "text/csv", bytes.length, sha256, key));
        objects.delete(key);
        return asset;
    }
}
