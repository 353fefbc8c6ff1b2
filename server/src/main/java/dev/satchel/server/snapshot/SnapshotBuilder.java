package dev.satchel.server.snapshot;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A walk through a workspace beside the manifest of the snapshot before: what is the same is taken
 * over by its stat, and the rest is left to be packed.
 */
final class SnapshotBuilder {
    /**
     * A file changed so shortly before it was looked at may have changed again in the same tick.
     */
    private static final long SETTLED_MILLIS = 1_000;

    private final SafeDirectory directory;
    private final Manifest before;
    private final Set<String> givenUp;
    private final List<@Nullable ManifestEntry> entries = new ArrayList<>();
    private final Map<WorkspacePath, Integer> places = new HashMap<>(); // of what is pending
    private final List<WorkspaceEntry> pending = new ArrayList<>();

    /** {@code givenUp} are packs so thinly used that their contents are better packed anew. */
    SnapshotBuilder(SafeDirectory directory, Manifest before, Set<String> givenUp) {
        this.directory = directory;
        this.before = before;
        this.givenUp = Set.copyOf(givenUp);
    }

    void walk() throws IOException {
        directory.visit(_ -> true, this::add);
    }

    /** Files that must be looked into. */
    List<WorkspaceEntry> pending() {
        return List.copyOf(pending);
    }

    /**
     * Contents that pending files may have again, by their hash: what was moved or only touched.
     */
    KnownContents known() {
        KnownContents known = new KnownContents();
        if (pending.isEmpty()) {
            return known;
        }
        Set<Long> sizes = new HashSet<>();
        pending.forEach(entry -> sizes.add(entry.stat().size()));
        for (ManifestEntry entry : before.entries()) {
            ContentRef content = entry.content();
            if (content != null
                    && sizes.contains(entry.stat().size())
                    && !givenUp.contains(content.pack())) {
                known.add(entry.stat().size(), content);
            }
        }
        return known;
    }

    void packed(ManifestEntry entry) {
        entries.set(Objects.requireNonNull(places.get(entry.path())), entry);
    }

    /** In the order of the walk; a file that vanished before it was packed is not among them. */
    List<ManifestEntry> entries() {
        List<ManifestEntry> whole = new ArrayList<>(entries.size());
        for (ManifestEntry entry : entries) {
            if (entry != null) {
                whole.add(entry);
            }
        }
        return whole;
    }

    /** Whether the manifest before says it all, to the last stat. */
    boolean unchanged() {
        return pending.isEmpty() && List.copyOf(before.entries()).equals(entries);
    }

    private void add(WorkspaceEntry entry) throws IOException {
        switch (entry.stat().kind()) {
            case DIRECTORY ->
                    entries.add(ManifestEntry.directory(entry.path(), plain(entry.stat())));
            case LINK -> link(entry).ifPresent(entries::add);
            case FILE -> addFile(entry);
            case OTHER -> {} // a FIFO, socket or device has nothing to keep
        }
    }

    private Optional<ManifestEntry> link(WorkspaceEntry entry) throws IOException {
        try {
            String target = directory.readLink(entry.path());
            return Optional.of(ManifestEntry.link(entry.path(), plain(entry.stat()), target));
        } catch (FileSystemException e) {
            return Optional.empty(); // gone in this moment
        }
    }

    private void addFile(WorkspaceEntry entry) {
        ManifestEntry known = before.get(entry.path());
        if (known != null && isSame(known, entry.stat())) {
            entries.add(known);
            return;
        }
        places.put(entry.path(), entries.size());
        entries.add(null);
        pending.add(entry);
    }

    /** Nobody can change a file without changing its ctime, and nobody can set that back. */
    private boolean isSame(ManifestEntry known, FileStat now) {
        ContentRef content = known.content();
        FileStat then = known.stat();
        return content != null
                && then.size() == now.size()
                && then.inode() == now.inode()
                && then.modified().equals(now.modified())
                && then.changed().equals(now.changed())
                && then.mode() == now.mode()
                && then.changed().toEpochMilli() + SETTLED_MILLIS < before.takenAt()
                && !givenUp.contains(content.pack());
    }

    private static FileStat plain(FileStat stat) {
        return new FileStat(
                stat.kind(), stat.size(), stat.modified(), stat.modified(), stat.mode(), 1, 0);
    }
}
