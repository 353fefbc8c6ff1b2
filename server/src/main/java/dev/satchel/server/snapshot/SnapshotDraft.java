package dev.satchel.server.snapshot;

import dev.satchel.runner.workspace.FileStat;
import dev.satchel.runner.workspace.OpenFile;
import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.runner.workspace.WorkspaceEntry;
import dev.satchel.runner.workspace.WorkspacePath;
import dev.satchel.runner.workspace.WorkspaceWalk;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A walk through a workspace beside the manifest of the snapshot before: what is the same is taken
 * over by its stat, what only looks different by its hash, and the rest is left to be packed.
 */
final class SnapshotDraft {
    /**
     * A file changed so shortly before it was looked at may have changed again in the same tick.
     */
    private static final long SETTLED_MILLIS = 1_000;

    private final SafeDirectory directory;
    private final Manifest before;
    private final Set<String> givenUp;
    private final Map<String, ContentRef> known = new HashMap<>();
    private final Set<Long> knownSizes = new HashSet<>();
    private final Map<String, @Nullable ManifestEntry> entries = new LinkedHashMap<>();
    private final List<WorkspaceEntry> pending = new ArrayList<>();
    private boolean looked;

    /** {@code givenUp} are packs so thinly used that their contents are better packed anew. */
    SnapshotDraft(SafeDirectory directory, Manifest before, Set<String> givenUp) {
        this.directory = directory;
        this.before = before;
        this.givenUp = Set.copyOf(givenUp);
        for (ManifestEntry entry : before.entries()) {
            ContentRef content = entry.content();
            if (content != null && !givenUp.contains(content.pack())) {
                known.put(content.sha256(), content);
                knownSizes.add(entry.stat().size());
            }
        }
    }

    void walk() throws IOException {
        WorkspaceWalk walk = directory.walk(WorkspacePath.ROOT);
        for (WorkspaceEntry entry = walk.next(); entry != null; entry = walk.next()) {
            add(entry);
        }
    }

    /** Files whose bytes must be stored. */
    List<WorkspaceEntry> pending() {
        return List.copyOf(pending);
    }

    void packed(ManifestEntry entry) {
        entries.put(entry.path().value(), entry);
    }

    /** In the order of the walk; a file that vanished before it was packed is not among them. */
    List<ManifestEntry> entries() {
        List<ManifestEntry> whole = new ArrayList<>();
        for (ManifestEntry entry : entries.values()) {
            if (entry != null) {
                whole.add(entry);
            }
        }
        return whole;
    }

    /** Whether the manifest before says it all, to the last stat. */
    boolean unchanged() {
        return !looked && List.copyOf(before.entries()).equals(entries());
    }

    private void add(WorkspaceEntry entry) throws IOException {
        WorkspacePath path = entry.path();
        switch (entry.stat().kind()) {
            case DIRECTORY ->
                    entries.put(path.value(), ManifestEntry.directory(path, plain(entry.stat())));
            case LINK -> addLink(entry);
            case FILE -> addFile(entry);
            case OTHER -> {} // a FIFO, socket or device has nothing to keep
        }
    }

    private void addLink(WorkspaceEntry entry) throws IOException {
        try {
            String target = directory.readLink(entry.path());
            entries.put(
                    entry.path().value(),
                    ManifestEntry.link(entry.path(), plain(entry.stat()), target));
        } catch (FileSystemException e) {
            // gone in this moment
        }
    }

    private void addFile(WorkspaceEntry entry) throws IOException {
        FileStat stat = entry.stat();
        Optional<ManifestEntry> same =
                before.find(entry.path().value()).filter(known -> isSame(known, stat));
        if (same.isPresent()) {
            entries.put(
                    entry.path().value(),
                    ManifestEntry.file(entry.path(), stat(stat), same.get().requireContent()));
            return;
        }
        looked = true;
        Optional<ContentRef> content =
                knownSizes.contains(stat.size()) ? byHash(entry) : Optional.empty();
        entries.put(
                entry.path().value(),
                content.map(ref -> ManifestEntry.file(entry.path(), stat(stat), ref)).orElse(null));
        if (content.isEmpty()) {
            pending.add(entry);
        }
    }

    /** Nobody can change a file without changing its ctime, and nobody can set that back. */
    private boolean isSame(ManifestEntry known, FileStat now) {
        ContentRef content = known.content();
        FileStat then = known.stat();
        return content != null
                && !givenUp.contains(content.pack())
                && then.size() == now.size()
                && then.inode() == now.inode()
                && then.modified().equals(now.modified())
                && then.changed().equals(now.changed())
                && then.mode() == now.mode()
                && then.changed().toEpochMilli() + SETTLED_MILLIS < before.takenAt();
    }

    private Optional<ContentRef> byHash(WorkspaceEntry entry) throws IOException {
        try (OpenFile file = directory.open(entry.path())) {
            return Optional.ofNullable(
                    known.get(Sha256.of(Channels.newInputStream(file.channel()))));
        } catch (FileSystemException e) {
            return Optional.empty(); // packing will find it gone
        }
    }

    /** How many names a file has is not kept. */
    private static FileStat stat(FileStat stat) {
        return new FileStat(
                stat.kind(),
                stat.size(),
                stat.modified(),
                stat.changed(),
                stat.mode(),
                1,
                stat.inode());
    }

    private static FileStat plain(FileStat stat) {
        return new FileStat(
                stat.kind(), stat.size(), stat.modified(), stat.modified(), stat.mode(), 1, 0);
    }
}
