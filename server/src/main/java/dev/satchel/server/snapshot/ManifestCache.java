package dev.satchel.server.snapshot;

import dev.satchel.server.objectstore.ObjectKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The manifests used last: a turn's snapshot begins with the one before, and every look into a kept
 * workspace needs one. A manifest never changes, so nothing here is ever out of date.
 */
final class ManifestCache {
    /** Of all together, some ten megabytes. */
    private static final int MOST_ENTRIES = 32_768;

    private static final float USUAL_LOAD = 0.75f;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ObjectKey, Manifest> byKey = new LinkedHashMap<>(16, USUAL_LOAD, true);
    private int entries;

    Optional<Manifest> find(ObjectKey key) {
        lock.lock();
        try {
            return Optional.ofNullable(byKey.get(key));
        } finally {
            lock.unlock();
        }
    }

    /** The one unused for longest goes first. */
    void add(ObjectKey key, Manifest manifest) {
        lock.lock();
        try {
            if (byKey.put(key, manifest) == null) {
                entries += manifest.entries().size();
            }
            Iterator<Manifest> oldest = byKey.values().iterator();
            while (entries > MOST_ENTRIES) {
                entries -= oldest.next().entries().size();
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }
}
