package dev.satchel.server.staging;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.TenantId;
import dev.satchel.server.asset.Asset;
import dev.satchel.server.asset.AssetService;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies assets into conversations and deletes old copies. */
public final class StagingService {
    private static final Logger LOG = LoggerFactory.getLogger(StagingService.class);
    private static final int LOCKS = 64;

    private final Database database;
    private final StagedAssetStore store;
    private final AssetService assets;
    private final ObjectStore objects;
    private final Duration maxAge;
    private final Clock clock;

    /**
     * Staging and sweeping of one copy exclude each other in this process. Between servers, each
     * checks afterwards whether the other has interfered.
     */
    private final List<ReentrantLock> locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

    public StagingService(
            Database database,
            StagedAssetStore store,
            AssetService assets,
            ObjectStore objects,
            Duration maxAge,
            Clock clock) {
        this.database = database;
        this.store = store;
        this.assets = assets;
        this.objects = objects;
        this.maxAge = maxAge;
        this.clock = clock;
    }

    /** Staging again replaces the copy and its time. */
    public StagedAsset stage(TenantId tenant, ConversationId conversation, String assetId)
            throws IOException {
        Asset asset = assets.get(tenant, assetId);
        StagedAsset staged = StagedAsset.of(conversation, asset.id(), asset.file(), clock.millis());
        requireRoom(staged);
        ReentrantLock lock = lock(conversation);
        lock.lock();
        try {
            objects.copy(asset.file().key(), staged.file().key());
            database.change(tx -> store.put(tx, staged));
            if (objects.size(staged.file().key()).isEmpty()) { // another server has swept it
                objects.copy(asset.file().key(), staged.file().key());
            }
        } finally {
            lock.unlock();
        }
        return staged;
    }

    /** When the sweeper may delete the copy. */
    public long expiresAt(StagedAsset staged) {
        return staged.stagedAt() + maxAge.toMillis();
    }

    /** Deletes copies that were staged longer ago than the limit. Uploads stay. */
    public void sweep() {
        long before = clock.millis() - maxAge.toMillis();
        List<StagedAsset> page = database.read(tx -> store.expired(tx, before, Optional.empty()));
        while (!page.isEmpty()) {
            page.forEach(this::attemptToRemove);
            Optional<StagedAsset> last = Optional.of(page.getLast());
            page = database.read(tx -> store.expired(tx, before, last));
        }
    }

    /** One that cannot be deleted does not keep the others. */
    private void attemptToRemove(StagedAsset staged) {
        try {
            remove(staged);
        } catch (IOException e) {
            LOG.warn(
                    "could not delete a staged asset conversation={} asset={}",
                    staged.conversation().value(),
                    staged.asset().value(),
                    e);
        }
    }

    /** Deletes the bytes first: the next sweep finds a row without bytes, but not the reverse. */
    private void remove(StagedAsset staged) throws IOException {
        ReentrantLock lock = lock(staged.conversation());
        lock.lock();
        try {
            boolean unchanged =
                    database.read(tx -> store.list(tx, staged.conversation())).contains(staged);
            if (unchanged) {
                objects.delete(staged.file().key());
                if (!database.write(tx -> store.remove(tx, staged))) {
                    restore(staged);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Another server has staged it again while this one deleted its bytes. */
    private void restore(StagedAsset staged) throws IOException {
        Optional<ObjectKey> source = database.read(tx -> store.source(tx, staged));
        if (source.isPresent()) {
            objects.copy(source.get(), staged.file().key());
        }
    }

    private void requireRoom(StagedAsset staged) {
        long others =
                database.read(tx -> store.list(tx, staged.conversation())).stream()
                        .filter(other -> !other.asset().equals(staged.asset()))
                        .mapToLong(other -> other.file().size())
                        .sum();
        long limit = assets.limits().maxBagBytes();
        if (others + staged.file().size() > limit) {
            throw new SatchelException(
                    ErrorCode.TOO_LARGE, "the staged files have more than " + limit + " bytes");
        }
    }

    private ReentrantLock lock(ConversationId conversation) {
        return locks.get(Math.floorMod(conversation.hashCode(), LOCKS));
    }
}
