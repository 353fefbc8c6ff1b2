package dev.satchel.server.snapshot;

import dev.satchel.server.objectstore.ObjectKey;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Manifests in the object store. */
final class ManifestStorage {
    private final ObjectStore objects;
    private final ManifestCache cache = new ManifestCache();

    ManifestStorage(ObjectStore objects) {
        this.objects = objects;
    }

    Manifest read(Snapshot snapshot) throws IOException {
        ObjectKey key = snapshot.key(snapshot.manifest());
        Optional<Manifest> known = cache.find(key);
        if (known.isPresent()) {
            return known.get();
        }
        try (InputStream in = objects.open(key)) {
            Manifest manifest = ManifestFormat.read(in.readAllBytes());
            cache.add(key, manifest);
            return manifest;
        }
    }

    /**
     * Replaces the inodes and times of a manifest by those that the live files have now, so that
     * the next snapshot need not read them. Only this process knows them.
     */
    void refresh(Snapshot snapshot, Manifest manifest) {
        cache.add(snapshot.key(snapshot.manifest()), manifest);
    }

    void put(ObjectKey key, Manifest manifest) throws IOException {
        byte[] bytes = ManifestFormat.write(manifest.takenAt(), manifest.entries());
        objects.put(key, new ByteArrayInputStream(bytes));
        cache.add(key, manifest);
    }
}
