package dev.satchel.server.snapshot;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.nio.channels.Channels;
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
 * Builds the entries of a snapshot from a walk and the previous manifest. Files whose stat is the
 * same are taken over; the contents of the others are to be packed.
 */
final class SnapshotBuilder {
    private final SafeDirectory directory;
    private final Manifest before;
    private final Set<String> replacedPacks;
    private final List<@Nullable ManifestEntry> entries = new ArrayList<>();
    private final Map<WorkspacePath, Integer> positions = new HashMap<>(); // of pending files
    private final List<WorkspaceEntry> pending = new ArrayList<>();

    /** The contents of {@code replacedPacks} are packed again. */
    SnapshotBuilder(SafeDirectory directory, Manifest before, Set<String> replacedPacks) {
        this.directory = directory;
        this.before = before;
        this.replacedPacks = Set.copyOf(replacedPacks);
    }

    SafeDirectory directory() {
        return directory;
    }

    void walk() throws IOException {
        directory.visit(_ -> true, this::add);
    }

    /** Files whose contents are to be packed. */
    List<WorkspaceEntry> pending() {
        return List.copyOf(pending);
    }

    /** Stored contents that pending files may have, if they were moved or only touched. */
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
                    && !replacedPacks.contains(content.pack())) {
                known.add(entry.stat().size(), content);
            }
        }
        return known;
    }

    void packed(ManifestEntry entry) {
        entries.set(Objects.requireNonNull(positions.get(entry.path())), entry);
    }

    /** In the order of the walk, without files that were removed before they were packed. */
    List<ManifestEntry> entries() {
        List<ManifestEntry> whole = new ArrayList<>(entries.size());
        for (ManifestEntry entry : entries) {
            if (entry != null) {
                whole.add(entry);
            }
        }
        return whole;
    }

    /** Reads pending files for their hashes only; nothing of them is stored. */
    void hash() throws IOException {
        try (SafeDirectory.FileOpener opener =
                directory.opener(pending.stream().map(WorkspaceEntry::path).toList())) {
            for (WorkspaceEntry entry : pending) {
                try (OpenFile file = opener.open(entry.path())) {
                    ContentHash hash = ContentHash.of(Channels.newInputStream(file.channel()));
                    ContentRef content = new ContentRef(hash, "", 0, 0);
                    packed(ManifestEntry.file(entry.path(), entry.stat(), content));
                } catch (FileSystemException e) {
                    // removed, or not a regular file any more
                }
            }
        }
    }

    /** Whether the previous manifest has the same entries, with the same stats. */
    boolean unchanged() {
        return pending.isEmpty() && before.entries().equals(entries);
    }

    /** Whether the previous manifest restores the same tree; files may have another inode. */
    boolean isRestored() {
        List<ManifestEntry> now = entries();
        return now.size() == before.entries().size()
                && now.stream().allMatch(entry -> entry.restoresAs(before.get(entry.path())));
    }

    private void add(WorkspaceEntry entry) throws IOException {
        switch (entry.stat().kind()) {
            case DIRECTORY ->
                    entries.add(ManifestEntry.directory(entry.path(), plain(entry.stat())));
            case LINK -> link(entry).ifPresent(entries::add);
            case FILE -> addFile(entry);
            case OTHER -> {} // FIFOs, sockets and devices have no content
        }
    }

    private Optional<ManifestEntry> link(WorkspaceEntry entry) throws IOException {
        try {
            String target = directory.readLink(entry.path());
            return Optional.of(ManifestEntry.link(entry.path(), plain(entry.stat()), target));
        } catch (FileSystemException e) {
            return Optional.empty(); // removed meanwhile
        }
    }

    private void addFile(WorkspaceEntry entry) {
        Optional<ManifestEntry> known =
                before.unchanged(entry.path(), entry.stat())
                        .filter(it -> !replacedPacks.contains(it.requireContent().pack()));
        if (known.isPresent()) {
            entries.add(known.get());
            return;
        }
        positions.put(entry.path(), entries.size());
        entries.add(null);
        pending.add(entry);
    }

    private static FileStat plain(FileStat stat) {
        return new FileStat(
                stat.kind(), stat.size(), stat.modified(), stat.modified(), stat.mode(), 1, 0);
    }
}
