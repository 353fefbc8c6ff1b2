package dev.satchel.server.workspace;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.snapshot.Manifest;
import dev.satchel.server.snapshot.ManifestEntry;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotService;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** A workspace as of a snapshot. Links are followed as in the live one, and never out. */
record SnapshotWorkspaceView(SnapshotService snapshots, Snapshot snapshot, Manifest manifest)
        implements WorkspaceView {
    /** The limit of Linux. */
    private static final int MAX_LINKS = 40;

    @Override
    public WorkspaceSource source() {
        return WorkspaceSource.SNAPSHOT;
    }

    @Override
    public void walk(Visitor visitor) throws IOException {
        String skipped = "";
        for (ManifestEntry entry : manifest.entries()) {
            if (!skipped.isEmpty() && entry.path().value().startsWith(skipped)) {
                continue;
            }
            boolean into = visitor.visit(new WorkspaceEntry(entry.path(), entry.stat()));
            skipped = into ? "" : entry.path().value() + "/";
        }
    }

    @Override
    public WorkspaceFile open(WorkspacePath path) throws IOException {
        ManifestEntry entry = resolve(path);
        if (!entry.stat().isFile()) {
            throw new IrregularFileException(path, entry.stat().kind());
        }
        return new SnapshotFile(snapshots, snapshot, entry);
    }

    @Override
    public String linkTarget(WorkspacePath link) throws IOException {
        return manifest.find(link)
                .orElseThrow(() -> new NoSuchFileException(link.value()))
                .requireTarget();
    }

    @Override
    public void close() {
        // a manifest in memory has no open files
    }

    /** Resolves name by name, as the kernel does beneath the live directory. */
    private ManifestEntry resolve(WorkspacePath path) throws IOException {
        Deque<String> names = new ArrayDeque<>(path.names());
        List<String> reached = new ArrayList<>();
        int links = 0;
        while (!names.isEmpty()) {
            String name = names.pop();
            if (name.equals("..")) {
                if (reached.isEmpty()) {
                    throw new UnsafePathException(path);
                }
                reached.removeLast();
                continue;
            }
            reached.add(name);
            ManifestEntry entry = find(path, reached);
            if (entry.stat().kind() == FileStat.Kind.LINK) {
                reached.removeLast();
                if (++links > MAX_LINKS || entry.requireTarget().startsWith("/")) {
                    throw new UnsafePathException(path);
                }
                targetNames(entry).reversed().forEach(names::push);
            } else if (!entry.stat().isDirectory() && !names.isEmpty()) {
                throw new NotDirectoryException(path.value());
            }
        }
        if (reached.isEmpty()) {
            throw new IrregularFileException(path, FileStat.Kind.DIRECTORY);
        }
        return find(path, reached);
    }

    private ManifestEntry find(WorkspacePath requested, List<String> names) throws IOException {
        return manifest.find(new WorkspacePath(String.join("/", names)))
                .orElseThrow(() -> new NoSuchFileException(requested.value()));
    }

    private static List<String> targetNames(ManifestEntry link) {
        return Arrays.stream(link.requireTarget().split("/", -1))
                .filter(name -> !name.isEmpty() && !name.equals("."))
                .toList();
    }

    /** A file of a snapshot; its hash is its entity tag. */
    record SnapshotFile(SnapshotService snapshots, Snapshot snapshot, ManifestEntry entry)
            implements WorkspaceFile {
        @Override
        public FileStat stat() {
            return entry.stat();
        }

        @Override
        public String etag() {
            return "sha256-" + entry.requireContent().hash().hex();
        }

        @Override
        public InputStream open(long offset, long length) throws IOException {
            return snapshots.content(snapshot, entry, offset);
        }

        @Override
        public void close() {
            // the stream that open returns is closed by its reader
        }
    }
}
