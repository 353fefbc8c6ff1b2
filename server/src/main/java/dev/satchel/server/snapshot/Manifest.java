package dev.satchel.server.snapshot;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspacePath;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All entries of a workspace at the time of a snapshot, in the order of a walk. */
public final class Manifest {
    static final Manifest EMPTY = new Manifest(0, List.of());

    /** A file that changed shortly before the walk may have changed again in the same tick. */
    private static final long SETTLED_MILLIS = 1_000;

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

    /**
     * The stored file with this stat, if the content is surely the same: every change of a file
     * sets its ctime, and no program can set it back.
     */
    Optional<ManifestEntry> unchanged(WorkspacePath path, FileStat now) {
        ManifestEntry known = byPath.get(path);
        if (known == null || known.content() == null) {
            return Optional.empty();
        }
        FileStat then = known.stat();
        boolean same =
                then.size() == now.size()
                        && then.inode() == now.inode()
                        && then.modified().equals(now.modified())
                        && then.changed().equals(now.changed())
                        && then.mode() == now.mode()
                        && then.changed().toEpochMilli() + SETTLED_MILLIS < takenAt;
        return same ? Optional.of(known) : Optional.empty();
    }

    /**
     * This workspace after it was made from another one by writing only what differs: all other
     * files still have the inodes and times of then.
     */
    Manifest madeFrom(Manifest other) {
        List<ManifestEntry> fresh = new ArrayList<>(entries.size());
        for (ManifestEntry entry : entries) {
            ManifestEntry there = other.get(entry.path());
            fresh.add(
                    there != null && entry.restoresAs(there)
                            ? new ManifestEntry(
                                    entry.path(), there.stat(), entry.content(), entry.target())
                            : entry);
        }
        return new Manifest(other.takenAt, fresh);
    }

    /**
     * This workspace with some paths, and all beneath them, as in another. A path that the other
     * does not have is removed. Missing directories above the paths are taken over too.
     *
     * @throws NoSuchFileException if neither has a path
     * @throws NotDirectoryException if there is a file or link where a directory above a path is
     */
    Manifest withPaths(Manifest source, List<WorkspacePath> paths) throws FileSystemException {
        Set<WorkspacePath> roots = Set.copyOf(paths);
        for (WorkspacePath root : roots) {
            if (get(root) == null && source.get(root) == null && !root.isRoot()) {
                throw new NoSuchFileException(root.value());
            }
        }
        Map<WorkspacePath, ManifestEntry> merged = new TreeMap<>(Manifest::inOrderOfWalk);
        for (ManifestEntry entry : entries) {
            if (!isBeneath(entry.path(), roots)) {
                merged.put(entry.path(), entry);
            }
        }
        for (ManifestEntry entry : source.entries) {
            if (isBeneath(entry.path(), roots)) {
                addParents(merged, source, entry.path());
                merged.put(entry.path(), entry);
            }
        }
        // the older time: a file that had just changed then is read again
        return new Manifest(Math.min(takenAt, source.takenAt), List.copyOf(merged.values()));
    }

    private static void addParents(
            Map<WorkspacePath, ManifestEntry> merged, Manifest source, WorkspacePath path)
            throws NotDirectoryException {
        for (WorkspacePath at = path.parent(); !at.isRoot(); at = at.parent()) {
            ManifestEntry there = merged.get(at);
            if (there != null && !there.stat().isDirectory()) {
                throw new NotDirectoryException(at.value());
            }
            if (there == null) {
                merged.put(at, Objects.requireNonNull(source.get(at)));
            }
        }
    }

    private static boolean isBeneath(WorkspacePath path, Set<WorkspacePath> roots) {
        for (WorkspacePath at = path; !at.isRoot(); at = at.parent()) {
            if (roots.contains(at)) {
                return true;
            }
        }
        return roots.contains(WorkspacePath.ROOT);
    }

    private static int inOrderOfWalk(WorkspacePath one, WorkspacePath other) {
        Iterator<String> left = one.names().iterator();
        Iterator<String> right = other.names().iterator();
        while (left.hasNext() && right.hasNext()) {
            int compared = WorkspacePath.compareNames(left.next(), right.next());
            if (compared != 0) {
                return compared;
            }
        }
        return Boolean.compare(left.hasNext(), right.hasNext());
    }

    /** How many files and links differ between two manifests. */
    public record Counts(long added, long changed, long removed) {
        static final Counts NONE = new Counts(0, 0, 0);
    }

    /** As {@link #differenceTo}, without the paths: cheap enough for every snapshot. */
    Counts countsTo(Manifest later) {
        long added = 0;
        long changed = 0;
        long kept = 0;
        for (ManifestEntry entry : later.entries) {
            ManifestEntry after = leaf(entry);
            ManifestEntry before = leaf(byPath.get(entry.path()));
            if (after != null && before == null) {
                added++;
            } else if (after != null && before != null) {
                kept++;
                changed += before.sameAs(after) ? 0 : 1;
            }
        }
        long leaves = entries.stream().filter(entry -> leaf(entry) != null).count();
        return new Counts(added, changed, leaves - kept);
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
