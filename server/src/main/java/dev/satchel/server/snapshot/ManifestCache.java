package dev.satchel.server.snapshot;

import dev.satchel.server.objectstore.ObjectKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The manifests that were used last. A snapshot starts from the manifest of the previous one, and
 * every read of a snapshot needs its manifest. What a manifest restores never changes, so entries
 * never expire; but a workspace that was restored has other inodes, which {@link #add} may bring up
 * to date.
 */
final class ManifestCache {
    /** Of all manifests together: about ten megabytes. */
    private static final int MAX_ENTRIES = 32_768;

    private static final float LOAD_FACTOR = 0.75f;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ObjectKey, Manifest> byKey = new LinkedHashMap<>(16, LOAD_FACTOR, true);
    private int entries;

    Optional<Manifest> find(ObjectKey key) {
        lock.lock();
        try {
            return Optional.ofNullable(byKey.get(key));
        } finally {
            lock.unlock();
        }
    }

    /** Evicts the least recently used manifests. */
    void add(ObjectKey key, Manifest manifest) {
        lock.lock();
        try {
            if (byKey.put(key, manifest) == null) {
                entries += manifest.entries().size();
            }
            Iterator<Manifest> oldest = byKey.values().iterator();
            while (entries > MAX_ENTRIES) {
                entries -= oldest.next().entries().size();
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }
}
