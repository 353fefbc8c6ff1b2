package dev.satchel.server.asset;

import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ListedObject;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        List<Asset> hidden = database.read(tx -> store.hidden(tx, ""));
        while (!hidden.isEmpty()) {
            hidden.forEach(assets::deleteHidden);
            String last = hidden.getLast().id().value();
            hidden = database.read(tx -> store.hidden(tx, last));
        }
        try (Stream<ListedObject> listed = objects.list(Asset.AREA + "/")) {
            deleteOrphans(listed.iterator());
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("could not sweep the assets", e);
        }
    }

    /** With one query for each page. */
    private void deleteOrphans(Iterator<ListedObject> listed) {
        Instant old = clock.instant().minus(MIN_AGE);
        Map<AssetId, ListedObject> page = new LinkedHashMap<>();
        while (listed.hasNext()) {
            ListedObject object = listed.next();
            if (!object.modified().isAfter(old)) {
                Asset.idOf(object.key()).ifPresent(id -> page.put(id, object));
            }
            if (page.size() == AssetStore.MAX_IDS || (!listed.hasNext() && !page.isEmpty())) {
                List<AssetId> ids = List.copyOf(page.keySet());
                page.keySet().removeAll(database.read(tx -> store.existing(tx, ids)));
                page.values().forEach(this::delete);
                page.clear();
            }
        }
    }

    private void delete(ListedObject orphan) {
        try {
            objects.delete(orphan.key());
        } catch (IOException e) {
            LOG.warn("could not delete an object without a row key={}", orphan.key(), e);
        }
    }
}
