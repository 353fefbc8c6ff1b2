package dev.satchel.server.asset;

import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes what a crash has left: bytes without a row, and the bytes of deleted assets. */
public final class AssetSweeper {
    private static final Logger LOG = LoggerFactory.getLogger(AssetSweeper.class);

    /** Longer than any upload takes: younger bytes may still get a row. */
    private static final Duration MIN_AGE = Duration.ofHours(24);

    private final Database database;
    private final AssetStore store;
    private final ObjectStore objects;
    private final AssetService assets;
    private final Clock clock;

    public AssetSweeper(
            Database database,
            AssetStore store,
            ObjectStore objects,
            AssetService assets,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.assets = assets;
        this.clock = clock;
    }

    public void sweep() {
        database.read(store::hidden).forEach(assets::deleteHidden);
        try (Stream<ListedObject> listed = objects.list(Asset.AREA + "/")) {
            listed.filter(this::isOrphan).forEach(this::delete);
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("could not sweep the assets", e);
        }
    }

    private boolean isOrphan(ListedObject object) {
        if (object.modified().isAfter(clock.instant().minus(MIN_AGE))) {
            return false;
        }
        Optional<AssetId> id = Asset.idOf(object.key());
        return id.isPresent() && !database.read(tx -> store.exists(tx, id.get()));
    }

    private void delete(ListedObject orphan) {
        try {
            objects.delete(orphan.key());
        } catch (IOException e) {
            LOG.warn("could not delete an object without a row key={}", orphan.key(), e);
        }
    }
}
