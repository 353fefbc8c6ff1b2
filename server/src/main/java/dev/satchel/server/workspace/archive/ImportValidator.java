package dev.satchel.server.workspace.archive;

import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.BoundedInputStream;
import dev.satchel.server.workspace.SessionErrors;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Reads a bundle to its end before anything of it is written. */
final class ImportValidator {
    /** What a member may take beside its content: its header, longer names, and what fills up. */
    private static final long MEMBER_BYTES = 4 * 1024;

    /** All that is unpacked at most, whatever the members say of themselves. */
    private static final long MAX_STREAM =
            ImportSizeLimit.MAX_BYTES + ImportSizeLimit.MAX_MEMBERS * MEMBER_BYTES;

    /** Tapes made programs fill an archive up with zeros, and they still do. */
    private static final int MAX_PADDING = 1024 * 1024;

    private final SafeDirectory directory;
    private final ImportSizeLimit size = new ImportSizeLimit();
    private final Map<WorkspacePath, Long> files = new HashMap<>();

    /** For a bundle that is to be unpacked there. */
    ImportValidator(SafeDirectory directory) {
        this.directory = directory;
    }

    /** Refuses what is broken, leads out or comes to too much. */
    void check(byte[] bytes) {
        try (InputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes));
                InputStream in =
                        BoundedInputStream.refusingMoreThan(
                                gzip, MAX_STREAM, "the bundle, unpacked,")) {
            TarReader tar = new TarReader(in);
            for (TarReader.Member member = tar.next(); member != null; member = tar.next()) {
                add(member);
            }
            requireEnd(in);
        } catch (EOFException | ZipException e) {
            throw SessionErrors.invalid("bundle is cut short or no gzip");
        } catch (IOException e) {
            throw SessionErrors.invalid("bundle is no tar archive in gzip");
        }
    }

    /** Another name of a file becomes a copy of it, so it counts as one. */
    private void add(TarReader.Member member) throws IOException {
        WorkspacePath path = WorkspaceImport.path(member.name());
        long bytes =
                member.kind() == TarReader.Kind.HARD_LINK
                        ? sizeOf(WorkspaceImport.path(member.target()))
                        : member.size();
        size.add(bytes);
        files.put(path, bytes);
    }

    private long sizeOf(WorkspacePath path) throws IOException {
        Long known = files.get(path);
        if (known != null) {
            return known;
        }
        try (OpenFile there = directory.open(path)) {
            return there.stat().size();
        } catch (FileSystemException e) {
            return 0; // nothing that could be copied
        }
    }

    /** Only the end of a gzip says that all before it is whole. */
    private static void requireEnd(InputStream in) throws IOException {
        if (in.readNBytes(MAX_PADDING).length == MAX_PADDING) {
            throw new IOException("too much behind the archive's end");
        }
    }
}
