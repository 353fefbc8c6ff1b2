package dev.satchel.server.snapshot;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Everything that was in a workspace, in the order of a walk. */
public final class Manifest {
    static final Manifest EMPTY = new Manifest(0, List.of());

    private final long takenAt;
    private final Map<String, ManifestEntry> entries = new LinkedHashMap<>();

    /** {@code takenAt} is when the walk began, in milliseconds. */
    Manifest(long takenAt, List<ManifestEntry> entries) {
        this.takenAt = takenAt;
        for (ManifestEntry entry : entries) {
            this.entries.put(entry.path().value(), entry);
        }
    }

    public long takenAt() {
        return takenAt;
    }

    public Collection<ManifestEntry> entries() {
        return entries.values();
    }

    public Optional<ManifestEntry> find(String path) {
        return Optional.ofNullable(entries.get(path));
    }

    /** How many bytes of each pack are in use. */
    Map<String, Long> used() {
        Map<String, Long> used = new HashMap<>();
        Map<String, ContentRef> counted = new HashMap<>();
        for (ManifestEntry entry : entries.values()) {
            ContentRef content = entry.content();
            if (content != null && counted.put(content.sha256(), content) == null) {
                used.merge(content.pack(), content.length(), Long::sum);
            }
        }
        return used;
    }

    /** What is different in a later one, by path. */
    public record Difference(List<String> added, List<String> removed, List<String> changed) {
        public Difference {
            added = List.copyOf(added);
            removed = List.copyOf(removed);
            changed = List.copyOf(changed);
        }
    }

    /** Directories count only by what is in them. */
    public Difference differenceTo(Manifest later) {
        List<String> added = new ArrayList<>();
        List<String> removed = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        TreeSet<String> paths = new TreeSet<>(entries.keySet());
        paths.addAll(later.entries.keySet());
        for (String path : paths) {
            ManifestEntry before = leaf(entries.get(path));
            ManifestEntry after = leaf(later.entries.get(path));
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
