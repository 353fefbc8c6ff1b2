package dev.satchel.server.snapshot;

import dev.satchel.filesystem.WorkspacePath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All entries of a workspace at the time of a snapshot, in the order of a walk. */
public final class Manifest {
    static final Manifest EMPTY = new Manifest(0, List.of());

    private final long takenAt;
    private final List<ManifestEntry> entries;
    private final Map<WorkspacePath, ManifestEntry> byPath;
    private final Map<String, Long> used;

    /** {@code takenAt} is when the walk began, in milliseconds. */
    Manifest(long takenAt, List<ManifestEntry> entries) {
        this.takenAt = takenAt;
        this.entries = List.copyOf(entries);
        this.byPath = HashMap.newHashMap(entries.size());
        for (ManifestEntry entry : entries) {
            byPath.put(entry.path(), entry);
        }
        this.used = Map.copyOf(used(entries));
    }

    public long takenAt() {
        return takenAt;
    }

    public List<ManifestEntry> entries() {
        return entries;
    }

    public Optional<ManifestEntry> find(WorkspacePath path) {
        return Optional.ofNullable(get(path));
    }

    @Nullable ManifestEntry get(WorkspacePath path) {
        return byPath.get(path);
    }

    /** How many bytes of each pack the entries use. */
    Map<String, Long> used() {
        return used;
    }

    private static Map<String, Long> used(List<ManifestEntry> entries) {
        Map<String, Long> used = new HashMap<>();
        Set<ContentHash> counted = HashSet.newHashSet(entries.size());
        for (ManifestEntry entry : entries) {
            ContentRef content = entry.content();
            if (content != null && counted.add(content.hash())) {
                used.merge(content.pack(), content.length(), Long::sum);
            }
        }
        return used;
    }

    /** Paths that differ between two manifests. */
    public record Difference(List<String> added, List<String> removed, List<String> changed) {
        public Difference {
            added = List.copyOf(added);
            removed = List.copyOf(removed);
            changed = List.copyOf(changed);
        }
    }

    /** Compares files and links; directories are not listed. */
    public Difference differenceTo(Manifest later) {
        List<String> added = new ArrayList<>();
        List<String> removed = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        TreeSet<String> paths = new TreeSet<>();
        byPath.keySet().forEach(path -> paths.add(path.value()));
        later.byPath.keySet().forEach(path -> paths.add(path.value()));
        for (String path : paths) {
            WorkspacePath at = new WorkspacePath(path);
            ManifestEntry before = leaf(get(at));
            ManifestEntry after = leaf(later.get(at));
            if (before == null && after != null) {
                added.add(path);
            } else if (before != null && after == null) {
                removed.add(path);
            } else if (before != null && after != null && !before.sameAs(after)) {
                changed.add(path);
            }
        }
        return new Difference(added, removed, changed);
    }

    private static @Nullable ManifestEntry leaf(@Nullable ManifestEntry entry) {
        return entry == null || entry.stat().isDirectory() ? null : entry;
    }
}
