package dev.satchel.server.asset;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.http.paging.PageRequest;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.database.Database;
import dev.satchel.server.file.FileNames;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The permanent files of tenants. */
public final class AssetService {
    private static final Logger LOG = LoggerFactory.getLogger(AssetService.class);

    private final Database database;
    private final AssetStore store;
    private final ObjectStore objects;
    private final BagLimits limits;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();

    public AssetService(
            Database database,
            AssetStore store,
            ObjectStore objects,
            BagLimits limits,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.limits = limits;
        this.clock = clock;
    }

    public BagLimits limits() {
        return limits;
    }

    public List<Asset> page(TenantId tenant, String text, PageRequest page) {
        return database.read(tx -> store.page(tx, tenant, text, page));
    }

    /** The same error for unknown and deleted assets and those of other tenants. */
    public Asset get(TenantId tenant, String id) {
        if (!AssetId.isValid(id)) {
            throw noSuchAsset();
        }
        return database.read(tx -> store.find(tx, tenant, new AssetId(id)))
                .orElseThrow(AssetService::noSuchAsset);
    }

    /** Receives uploaded files; the caller closes it. */
    AssetReceiver upload(TenantId tenant) {
        return new AssetReceiver(database, store, objects, tenant, limits, clock);
    }

    /**
     * Stores a copy of a file of a chat or run. The object comes before the row: a crash leaves an
     * object without a row, which the sweeper deletes, never a row without bytes.
     */
    public Asset save(TenantId tenant, StoredFile file) throws IOException {
        AssetId id = AssetId.random();
        String name = FileNames.leaf(file.name());
        StoredFile copy =
                new StoredFile(
                        name,
                        file.mimeType(),
                        file.size(),
                        file.sha256(),
                        Asset.key(tenant, id, name));
        objects.copy(file.key(), copy.key());
        Asset asset = new Asset(id, tenant, copy, clock.millis());
        database.change(
                tx -> {
                    store.insert(tx, asset);
                    audit.add(tx, asset.event(AuditEvent.Action.UPLOAD), asset.createdAt());
                });
        return asset;
    }

    /** Hides the row first, so the sweeper can finish after a crash. */
    public void delete(TenantId tenant, String id) {
        Asset asset = get(tenant, id);
        database.change(
                tx -> {
                    long now = clock.millis();
                    if (!store.hide(tx, asset, now)) {
                        throw noSuchAsset();
                    }
                    audit.add(tx, asset.event(AuditEvent.Action.DELETE), now);
                });
        deleteHidden(asset);
    }

    /** Deletes the bytes of a hidden asset and then its row. */
    void deleteHidden(Asset asset) {
        try {
            objects.delete(asset.file().key());
            database.change(tx -> store.remove(tx, asset.id()));
        } catch (IOException e) {
            LOG.warn(
                    "could not delete an asset, the sweeper will assetId={}",
                    asset.id().value(),
                    e);
        }
    }

    private static SatchelException noSuchAsset() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such asset");
    }
}
