package dev.satchel.server.snapshot;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Brings a directory to a manifest by removing and writing only what differs. What is removed goes
 * first, so that nothing is written through a link, and modes and times of directories are set
 * last. It can be applied again after it was interrupted anywhere. Used by one thread, while
 * nothing else writes to the directory.
 */
final class DirectoryUpdate {
    /** To list a directory, and to change its entries. */
    private static final int FULL_ACCESS = 0700;

    private final SafeDirectory directory;
    private final Manifest base;
    private final Manifest target;
    private final Map<WorkspacePath, WorkspaceEntry> directories = new HashMap<>();
    private final Set<WorkspacePath> present = new HashSet<>();
    private final List<WorkspaceEntry> removed = new ArrayList<>();
    private final List<ManifestEntry> files = new ArrayList<>();
    private final List<ManifestEntry> links = new ArrayList<>();
    private final List<ManifestEntry> attributes = new ArrayList<>();
    private final Set<WorkspacePath> changedDirectories = new LinkedHashSet<>();
    private @Nullable WorkspacePath removing;

    /** {@code base} has hashes of files that are as they were when it was taken. */
    DirectoryUpdate(SafeDirectory directory, Manifest base, Manifest target) {
        this.directory = directory;
        this.base = base;
        this.target = target;
    }

    void apply(SnapshotUnpacker unpacker) throws IOException {
        do {
            forgetPlan();
            directory.visit(_ -> true, this::compare);
        } while (openUnreadable());
        addMissing();
        for (WorkspacePath path : changedDirectories) {
            allowChanges(path);
        }
        for (WorkspaceEntry entry : removed) {
            remove(entry);
        }
        for (ManifestEntry entry : target.entries()) {
            if (entry.stat().isDirectory() && !present.contains(entry.path())) {
                directory.createDirectories(entry.path());
            }
        }
        unpacker.files(files);
        for (ManifestEntry link : links) {
            unpacker.link(link);
        }
        for (ManifestEntry entry : attributes) {
            unpacker.attributes(entry);
        }
        setDirectoryAttributes(unpacker);
    }

    private void forgetPlan() {
        directories.clear();
        present.clear();
        removed.clear();
        files.clear();
        links.clear();
        attributes.clear();
        changedDirectories.clear();
        removing = null;
    }

    private void compare(WorkspaceEntry entry) throws IOException {
        WorkspacePath path = entry.path();
        if (entry.stat().isDirectory()) {
            directories.put(path, entry);
        }
        if (removing != null && path.value().startsWith(removing.value() + "/")) {
            return; // goes with the directory
        }
        ManifestEntry wanted = target.get(path);
        if (wanted == null || wanted.stat().kind() != entry.stat().kind()) {
            removed.add(entry);
            changedDirectories.add(path.parent());
            removing = entry.stat().isDirectory() ? path : null;
            return;
        }
        present.add(path);
        switch (wanted.stat().kind()) {
            case DIRECTORY -> {
                if (!hasAttributes(entry, wanted)) {
                    changedDirectories.add(path);
                }
            }
            case LINK -> compareLink(entry, wanted);
            case FILE -> compareFile(entry, wanted);
            case OTHER -> throw new IOException("not a file or link: " + path);
        }
    }

    private void compareLink(WorkspaceEntry entry, ManifestEntry wanted) throws IOException {
        if (!directory.readLink(entry.path()).equals(wanted.requireTarget())) {
            write(links, wanted);
        } else if (!entry.stat().modified().equals(wanted.stat().modified())) {
            attributes.add(wanted);
        }
    }

    private void compareFile(WorkspaceEntry entry, ManifestEntry wanted) {
        boolean hasAttributes = hasAttributes(entry, wanted);
        if (!hasContent(entry, wanted)) {
            write(files, wanted);
        } else if (!hasAttributes && entry.stat().links() > 1) {
            write(files, wanted); // the other names of the file keep their attributes
        } else if (!hasAttributes) {
            attributes.add(wanted);
        }
    }

    private boolean hasContent(WorkspaceEntry entry, ManifestEntry wanted) {
        Optional<ManifestEntry> known =
                base.unchanged(entry.path(), entry.stat())
                        .or(() -> target.unchanged(entry.path(), entry.stat()));
        return known.isPresent()
                && known.get().requireContent().hash().equals(wanted.requireContent().hash());
    }

    /** A restored file has no setuid, so such a mode is the same with and without it. */
    private static boolean hasAttributes(WorkspaceEntry entry, ManifestEntry wanted) {
        FileStat now = entry.stat();
        FileStat then = wanted.stat();
        return now.modified().equals(then.modified())
                && (now.mode() == then.mode()
                        || now.mode() == (then.mode() & SnapshotUnpacker.MODE_BITS));
    }

    private void write(List<ManifestEntry> plan, ManifestEntry wanted) {
        plan.add(wanted);
        changedDirectories.add(wanted.path().parent());
    }

    /** The walk has left out what is in directories that cannot be listed. */
    private boolean openUnreadable() throws IOException {
        boolean found = false;
        for (WorkspaceEntry entry : directories.values()) {
            if ((entry.stat().mode() & 0500) != 0500) {
                allowChanges(entry.path());
                found = true;
            }
        }
        return found;
    }

    private void addMissing() throws IOException {
        for (ManifestEntry entry : target.entries()) {
            if (present.contains(entry.path())) {
                continue;
            }
            switch (entry.stat().kind()) {
                case DIRECTORY -> {
                    changedDirectories.add(entry.path());
                    changedDirectories.add(entry.path().parent());
                }
                case LINK -> write(links, entry);
                case FILE -> write(files, entry);
                case OTHER -> throw new IOException("not a file or link: " + entry.path());
            }
        }
    }

    private void allowChanges(WorkspacePath path) throws IOException {
        WorkspaceEntry entry = directories.get(path);
        if (entry != null && (entry.stat().mode() & FULL_ACCESS) != FULL_ACCESS) {
            directory.setAttributes(
                    path, entry.stat().mode() | FULL_ACCESS, entry.stat().modified());
        }
    }

    private void remove(WorkspaceEntry entry) throws IOException {
        if (entry.stat().isDirectory()) {
            allowChanges(entry.path());
            for (WorkspaceEntry child : directory.list(entry.path())) {
                remove(child);
            }
        }
        directory.delete(entry.path());
    }

    /** Inner directories first: setting them does not change the time of an outer one. */
    private void setDirectoryAttributes(SnapshotUnpacker unpacker) throws IOException {
        Map<String, ManifestEntry> changed = new TreeMap<>();
        for (WorkspacePath path : changedDirectories) {
            if (!path.isRoot()) {
                changed.put(path.value(), Objects.requireNonNull(target.get(path)));
            }
        }
        for (ManifestEntry entry : List.copyOf(changed.values()).reversed()) {
            unpacker.attributes(entry);
        }
    }
}
