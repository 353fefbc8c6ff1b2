package dev.satchel.server.workspace.archive;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import dev.satchel.http.BoundedInputStream;
import dev.satchel.server.archive.TarReader;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.files.WorkspaceLimits;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Validates a bundle to its end before anything of it is written. */
final class ImportValidator {
    /** What an entry may take beside its content: headers, long names and padding. */
    private static final long ENTRY_BYTES = 4 * 1024;

    /** Programs pad an archive with zeros to a multiple of a record size. */
    private static final int MAX_PADDING = 1024 * 1024;

    private final SafeDirectory directory;
    private final ImportSizeLimit size;
    private final long maxStream;
    private final byte[] bytes;
    private final Map<WorkspacePath, Long> files = new HashMap<>();

    ImportValidator(SafeDirectory directory, byte[] bytes, WorkspaceLimits limits) {
        this.directory = directory;
        this.bytes = bytes;
        this.size = new ImportSizeLimit(limits, bytes.length);
        this.maxStream = limits.bytes() + limits.entries() * ENTRY_BYTES;
    }

    /**
     * Refuses a bundle that is malformed, has paths that lead out, or is too large beside what is
     * in the workspace.
     */
    void check() throws IOException {
        checkBundle();
        checkWorkspace();
    }

    private void checkBundle() {
        try (InputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes));
                InputStream in =
                        BoundedInputStream.refusingMoreThan(
                                gzip, maxStream, "the bundle, unpacked,")) {
            TarReader tar = new TarReader(in);
            for (TarReader.Entry entry = tar.next(); entry != null; entry = tar.next()) {
                add(entry);
            }
            requireEnd(in);
        } catch (EOFException | ZipException e) {
            throw SessionErrors.invalid("bundle is cut short or no gzip");
        } catch (IOException e) {
            throw SessionErrors.invalid("bundle is no tar archive in gzip");
        }
    }

    /** A hard link becomes a copy of the file, so its size counts. */
    private void add(TarReader.Entry entry) throws IOException {
        WorkspacePath path = WorkspaceImport.path(entry.name());
        long bytes =
                entry.kind() == TarReader.Kind.HARD_LINK
                        ? sizeOf(WorkspaceImport.path(entry.target()))
                        : entry.size();
        size.add(entry.name(), bytes);
        files.put(path, bytes);
    }

    /** What the bundle replaces does not count twice. */
    private void checkWorkspace() throws IOException {
        WorkspaceWalk walk = new WorkspaceWalk(directory::list, WorkspacePath.ROOT);
        for (WorkspaceEntry entry = walk.next(); entry != null; entry = walk.next()) {
            if (!files.containsKey(entry.path())) {
                size.addToWorkspace(entry.stat().size());
            }
        }
    }

    private long sizeOf(WorkspacePath path) throws IOException {
        Long known = files.get(path);
        if (known != null) {
            return known;
        }
        try (OpenFile file = directory.open(path)) {
            return file.stat().size();
        } catch (FileSystemException e) {
            return 0; // there is no file to copy
        }
    }

    /** The checksum of a gzip stream is at its end. */
    private static void requireEnd(InputStream in) throws IOException {
        if (in.readNBytes(MAX_PADDING).length == MAX_PADDING) {
            throw new IOException("too much data after the end of the archive");
        }
    }
}
