package dev.satchel.server.snapshot;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Contents that are stored already, so that a moved or copied file is not stored again. */
final class KnownContents {
    private final Map<ContentHash, ContentRef> byHash = new HashMap<>();
    private final Set<Long> sizes = new HashSet<>();

    void add(long size, ContentRef content) {
        byHash.put(content.hash(), content);
        sizes.add(size);
    }

    Optional<ContentRef> find(ContentHash hash) {
        return Optional.ofNullable(byHash.get(hash));
    }

    /** Whether a content of this size is known, so that hashing a large file may save space. */
    boolean hasSize(long size) {
        return sizes.contains(size);
    }
}
