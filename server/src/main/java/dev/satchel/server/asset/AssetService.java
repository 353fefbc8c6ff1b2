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

/** The durable files of tenants. */
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

    /** Unknown, deleted and another tenant's look alike. */
    public Asset get(TenantId tenant, String id) {
        if (!AssetId.isValid(id)) {
            throw noSuchAsset();
        }
        return database.read(tx -> store.find(tx, tenant, new AssetId(id)))
                .orElseThrow(AssetService::noSuchAsset);
    }

    /** Files that a person uploads; whoever opens this closes it. */
    AssetReceiver upload(TenantId tenant) {
        return new AssetReceiver(database, store, objects, tenant, limits, clock);
    }

    /**
     * Keeps a copy, so that the chat or run it came from may go. Object first, row second: a crash
     * leaves an object without a row for the sweep, never a row without its bytes.
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

    /** Row first: from here on nobody finds it, and the sweep finishes what a crash leaves. */
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
        erase(asset);
    }

    /** Removes the bytes of a hidden asset and then its row. */
    void erase(Asset asset) {
        try {
            objects.delete(asset.file().key());
            database.change(tx -> store.remove(tx, asset.id()));
        } catch (IOException e) {
            LOG.warn("a deleted asset stays for the sweep assetId={}", asset.id().value(), e);
        }
    }

    private static SatchelException noSuchAsset() {
        return new SatchelException(ErrorCode.NOT_FOUND, "no such asset");
    }
}
