package dev.satchel.runner.bag;

import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.TemporaryNames;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NotDirectoryException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * Unpacks a bag into a workspace: first into a temporary directory, then by renaming. When it
 * fails, the workspace does not change. A symbolic link in the zip becomes a plain file with the
 * name of its target.
 */
public final class BagUnpacker {
    private static final int MAX_NAME_BYTES = 255;

    private final UnpackLimits limits;

    public BagUnpacker(UnpackLimits limits) {
        this.limits = limits;
    }

    /** The files of the bag that are now in the workspace, and those that were skipped. */
    public record Unpacked(List<WorkspacePath> files, List<WorkspacePath> skipped) {
        public Unpacked {
            files = List.copyOf(files);
            skipped = List.copyOf(skipped);
        }
    }

    public Unpacked unpack(InputStream zip, SafeDirectory workspace) throws IOException {
        removeLeftovers(workspace);
        WorkspacePath scratch = new WorkspacePath(TemporaryNames.next());
        workspace.createDirectories(scratch);
        try {
            BagInstaller installer = new BagInstaller(workspace, scratch);
            List<WorkspacePath> files = extract(zip, workspace, installer);
            List<WorkspacePath> skipped = installer.install(files);
            return new Unpacked(
                    files.stream().filter(file -> !skipped.contains(file)).toList(), skipped);
        } finally {
            workspace.deleteTree(scratch);
        }
    }

    /** A process that was killed while unpacking has left its directory. */
    private static void removeLeftovers(SafeDirectory workspace) throws IOException {
        for (WorkspaceEntry entry : workspace.list(WorkspacePath.ROOT)) {
            if (entry.path().value().startsWith(TemporaryNames.PREFIX)) {
                workspace.deleteTree(entry.path());
            }
        }
    }

    private List<WorkspacePath> extract(
            InputStream zip, SafeDirectory workspace, BagInstaller installer) throws IOException {
        CountingInputStream bytes = new CountingInputStream(zip);
        ZipInputStream entries = new ZipInputStream(bytes); // the caller closes its stream
        Set<WorkspacePath> seen = new LinkedHashSet<>();
        Set<WorkspacePath> files = new LinkedHashSet<>();
        long total = 0;
        try {
            ZipEntry entry;
            while ((entry = entries.getNextEntry()) != null) {
                WorkspacePath path = name(entry);
                if (!seen.add(path)) {
                    throw new BagRefusedException("the bag holds " + path + " twice");
                }
                if (seen.size() > limits.maxEntries()) {
                    throw new BagRefusedException(
                            "the bag holds more than " + limits.maxEntries() + " entries");
                }
                if (entry.isDirectory()) {
                    workspace.createDirectories(installer.unpacked(path));
                } else {
                    files.add(path);
                    try (NewFile file = workspace.create(installer.unpacked(path))) {
                        total = copy(entries, bytes, path, file, total);
                        file.commit();
                    }
                }
            }
            if (!bytes.hasZipEnd()) {
                throw new BagRefusedException("the zip of the bag is incomplete");
            }
        } catch (ZipException | EOFException e) {
            throw new BagRefusedException("the zip of the bag is damaged: " + e.getMessage());
        } catch (IrregularFileException | NotDirectoryException e) {
            throw new BagRefusedException("the bag holds a name as a file and as a directory");
        }
        return List.copyOf(files);
    }

    private static WorkspacePath name(ZipEntry entry) throws BagRefusedException {
        String name = entry.getName();
        String plain = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
        try {
            WorkspacePath path = new WorkspacePath(plain);
            if (path.isRoot()
                    || plain.indexOf('\\') >= 0
                    || plain.chars().anyMatch(Character::isISOControl)
                    || path.names().stream().anyMatch(BagUnpacker::tooLong)) {
                throw new BagRefusedException("the bag holds an illegal name: " + quote(name));
            }
            return path;
        } catch (IllegalArgumentException _) {
            throw new BagRefusedException("the bag holds an illegal name: " + quote(name));
        }
    }

    private long copy(
            ZipInputStream entry,
            CountingInputStream bytes,
            WorkspacePath path,
            NewFile file,
            long before)
            throws IOException {
        long total = before;
        byte[] buffer = new byte[64 * 1024];
        int read;
        while ((read = entry.read(buffer)) >= 0) {
            total += read;
            if (total - before > limits.maxBytes(path)) {
                throw new BagRefusedException(
                        path + " has over " + limits.maxBytes(path) + " bytes");
            }
            check(total, bytes.count());
            ByteBuffer piece = ByteBuffer.wrap(buffer, 0, read);
            while (piece.hasRemaining()) {
                file.channel().write(piece);
            }
        }
        return total;
    }

    private void check(long unpacked, long packed) throws BagRefusedException {
        if (unpacked > limits.maxBytes()) {
            throw new BagRefusedException("the bag holds over " + limits.maxBytes() + " bytes");
        }
        if (unpacked > limits.freeBytes() && unpacked / limits.maxRatio() > packed) {
            throw new BagRefusedException(
                    "the bag unpacks to more than " + limits.maxRatio() + " times its size");
        }
    }

    private static boolean tooLong(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES;
    }

    private static String quote(String name) {
        String shown = name.length() <= 100 ? name : name.substring(0, 100) + "…";
        return '"' + shown.replaceAll("\\p{Cntrl}", "?") + '"';
    }
}
