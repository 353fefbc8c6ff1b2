package dev.satchel.server.snapshot;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An object that holds the contents of many files, one zstd frame after the other. */
public record Pack(String name, long size) {
    /** A pack of which less than a quarter is used is replaced. */
    private static final int MIN_USED = 4;

    static Set<String> sparse(Optional<Snapshot> before, Manifest base) {
        Map<String, Long> used = base.used();
        Set<String> sparse = new HashSet<>();
        for (Pack pack : before.map(Snapshot::packs).orElse(List.of())) {
            if (used.getOrDefault(pack.name(), 0L) * MIN_USED < pack.size()) {
                sparse.add(pack.name());
            }
        }
        return sparse;
    }

    static Map<String, Pack> known(Optional<Snapshot> before, List<Pack> made) {
        Map<String, Pack> known = new HashMap<>();
        before.ifPresent(snapshot -> snapshot.packs().forEach(it -> known.put(it.name(), it)));
        made.forEach(pack -> known.put(pack.name(), pack));
        return known;
    }

    static Map<String, Pack> known(Optional<Snapshot> one, Optional<Snapshot> other) {
        return known(one, other.map(Snapshot::packs).orElse(List.of()));
    }

    /** The packs that hold contents of the files. */
    static List<Pack> used(Map<String, Pack> known, List<ManifestEntry> files) {
        Set<String> used = new HashSet<>();
        files.forEach(file -> used.add(file.requireContent().pack()));
        return known.values().stream().filter(pack -> used.contains(pack.name())).toList();
    }
}
