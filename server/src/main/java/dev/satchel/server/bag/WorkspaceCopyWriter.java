package dev.satchel.server.bag;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.TemporaryNames;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.security.Sha256;
import dev.satchel.server.file.FileNames;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Set;

/** Writes copies of bag files into one workspace, and never over anything else. */
final class WorkspaceCopyWriter {
    /** Directories that a run uses, so that no file can have these names. */
    private static final Set<String> RESERVED = Set.of("assets", "staged");

    /** Ends the search if a defect would make it endless. */
    private static final int MAX_NUMBER = 1_000_000;

    private final SafeDirectory workspace;
    private final ObjectStore objects;

    WorkspaceCopyWriter(SafeDirectory workspace, ObjectStore objects) {
        this.workspace = workspace;
        this.objects = objects;
    }

    /** A process that was killed while it wrote has left an incomplete file. */
    void removeLeftovers() throws IOException {
        for (WorkspaceEntry entry : workspace.list(WorkspacePath.ROOT)) {
            if (entry.path().value().startsWith(TemporaryNames.PREFIX)) {
                workspace.deleteTree(entry.path());
            }
        }
    }

    /**
     * Copies the file to its path, or to the next free one with a number. A file with the same
     * bytes is taken as the copy.
     *
     * @param replaceable the hashes of files at that path that may be replaced
     */
    WorkspacePath add(BagFile file, Set<String> replaceable) throws IOException {
        WorkspacePath wanted = new WorkspacePath(file.workspacePath());
        if (wanted.parent().isRoot()) {
            return add(file, wanted, replaceable);
        }
        try {
            return add(file, wanted, replaceable);
        } catch (FileSystemException e) { // the folder is a file, or a link that leads out
            return add(file, new WorkspacePath(wanted.name()), replaceable);
        }
    }

    private WorkspacePath add(BagFile file, WorkspacePath wanted, Set<String> replaceable)
            throws IOException {
        for (int number = 0; number < MAX_NUMBER; number++) {
            WorkspacePath path = numbered(wanted, number);
            if (isReserved(path)) {
                continue;
            }
            String existing = hash(path, file.size(), number == 0 ? replaceable : Set.of());
            if (existing.equals(file.sha256())) {
                return path;
            }
            if (existing.isEmpty() || (number == 0 && replaceable.contains(existing))) {
                write(file, path);
                return path;
            }
        }
        throw new IOException("no free name like " + wanted);
    }

    private static WorkspacePath numbered(WorkspacePath wanted, int number) {
        if (number == 0) {
            return wanted;
        }
        String name = wanted.value();
        String visible = name.startsWith(TemporaryNames.PREFIX) ? name.substring(1) : name;
        return new WorkspacePath(FileNames.numbered(visible, number));
    }

    private static boolean isReserved(WorkspacePath path) {
        return RESERVED.contains(path.value()) || path.value().startsWith(TemporaryNames.PREFIX);
    }

    /** Removes an unchanged copy. Returns false if it was changed; true if it is gone. */
    boolean remove(WorkspaceCopy copy) throws IOException {
        WorkspacePath path = new WorkspacePath(copy.path());
        try {
            if (!workspace.stat(path).isFile() || !hash(path).equals(copy.sha256())) {
                return false;
            }
            workspace.delete(path);
            return true;
        } catch (NoSuchFileException | NotDirectoryException e) {
            return true; // removed or moved
        }
    }

    /** The hash of the file at the path; empty if nothing is there; a text for anything else. */
    private String hash(WorkspacePath path, long size, Set<String> others) throws IOException {
        try {
            FileStat stat = workspace.stat(path);
            boolean mayBeKnown = stat.size() == size || !others.isEmpty();
            return stat.isFile() && mayBeKnown ? hash(path) : "another file";
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    private String hash(WorkspacePath path) throws IOException {
        MessageDigest digest = Sha256.newDigest();
        try (OpenFile file = workspace.open(path);
                OutputStream hashed =
                        new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            Channels.newInputStream(file.channel()).transferTo(hashed);
        }
        return Sha256.hex(digest);
    }

    private void write(BagFile file, WorkspacePath path) throws IOException {
        try (InputStream content = objects.open(file.storageKey());
                NewFile copy = workspace.create(path)) {
            content.transferTo(Channels.newOutputStream(copy.channel()));
            copy.commit();
        }
    }
}
