package dev.satchel.server.asset;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.bag.BagLimits;
import dev.satchel.server.database.CommitUnknownException;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.IncomingFile;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import dev.satchel.server.objectstore.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives uploaded assets, all or none: stores the bytes, then inserts all rows. */
final class AssetReceiver implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AssetReceiver.class);

    private final Database database;
    private final AssetStore store;
    private final ObjectStore objects;
    private final TenantId tenant;
    private final BagLimits limits;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();
    private final List<Asset> received = new ArrayList<>();
    private boolean mayHaveRows;

    AssetReceiver(
            Database database,
            AssetStore store,
            ObjectStore objects,
            TenantId tenant,
            BagLimits limits,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.objects = objects;
        this.tenant = tenant;
        this.limits = limits;
        this.clock = clock;
    }

    void receive(String filename, InputStream content) throws IOException {
        if (received.size() == limits.maxFiles()) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE, "more than " + limits.maxFiles() + " files");
        }
        IncomingFile file = IncomingFile.of(filename, content, limits.maxFileBytes());
        AssetId id = AssetId.random();
        ObjectKey key = Asset.key(tenant, id, file.name());
        StoredObject stored = objects.put(key, file.content());
        StoredFile kept =
                new StoredFile(file.name(), file.mimeType(), stored.size(), stored.sha256(), key);
        received.add(new Asset(id, tenant, kept, clock.millis()));
    }

    List<Asset> commit() {
        try {
            database.change(this::insertAll);
            mayHaveRows = true;
        } catch (CommitUnknownException e) {
            mayHaveRows = true;
            throw e;
        }
        return List.copyOf(received);
    }

    @Override
    public void close() {
        if (!mayHaveRows) {
            received.forEach(this::discard);
        }
    }

    private void insertAll(Transaction tx) {
        for (Asset asset : received) {
            store.insert(tx, asset);
            audit.add(tx, asset.event(AuditEvent.Action.UPLOAD), asset.createdAt());
        }
    }

    private void discard(Asset asset) {
        try {
            objects.delete(asset.file().key());
        } catch (IOException e) {
            LOG.warn("an upload stays for the sweep assetId={}", asset.id().value(), e);
        }
    }
}
