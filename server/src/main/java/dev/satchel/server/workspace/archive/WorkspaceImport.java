package dev.satchel.server.workspace.archive;

import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.TemporaryNames;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.Fields;
import dev.satchel.server.archive.TarReader;
import dev.satchel.server.workspace.SessionErrors;
import dev.satchel.server.workspace.files.RequestedPath;
import dev.satchel.server.workspace.files.WorkspaceLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * The body of {@code POST /api/sessions/{id}/workspace}: a tar.gz in base64, to be unpacked over
 * the workspace. The archive is validated to its end and unpacked beside the files of the workspace
 * before any of them is replaced, so a refused one changes nothing and leaves nothing behind.
 */
record WorkspaceImport(String bundle) {
    WorkspaceImport {
        Fields.required("bundle", bundle);
    }

    /** Refuses what would make the workspace larger than its limits. */
    void unpackInto(SafeDirectory workspace, WorkspaceLimits limits) throws IOException {
        byte[] bytes = bytes();
        new ImportValidator(workspace, bytes, limits).check();
        WorkspacePath unpacked = new WorkspacePath(TemporaryNames.next());
        workspace.createDirectories(unpacked);
        try {
            List<TarReader.Entry> directories = unpack(bytes, workspace, unpacked, limits);
            new ImportMerge(workspace).run(unpacked);
            for (TarReader.Entry entry : directories.reversed()) {
                finish(workspace, path(entry.name()), entry);
            }
        } catch (IrregularFileException e) {
            throw SessionErrors.notAFile();
        } catch (FileSystemException e) { // its message has paths of this server
            throw SessionErrors.invalidPath();
        } finally {
            workspace.deleteTree(unpacked);
        }
    }

    /** Returns the directories: their attributes are set when nothing more is added to them. */
    private static List<TarReader.Entry> unpack(
            byte[] bytes, SafeDirectory workspace, WorkspacePath unpacked, WorkspaceLimits limits)
            throws IOException {
        ImportSizeLimit copies = new ImportSizeLimit(limits, bytes.length);
        List<TarReader.Entry> links =
                new ArrayList<>(); // last, so that nothing is written through one
        List<TarReader.Entry> directories = new ArrayList<>();
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            TarReader tar = new TarReader(in);
            for (TarReader.Entry entry = tar.next(); entry != null; entry = tar.next()) {
                WorkspacePath path = within(unpacked, entry.name());
                switch (entry.kind()) {
                    case DIRECTORY -> {
                        workspace.createDirectories(path);
                        directories.add(entry);
                    }
                    case FILE -> write(workspace, path, entry, tar.content());
                    case LINK, HARD_LINK -> links.add(entry);
                    case OTHER -> {} // devices and FIFOs are left out
                }
            }
        }
        for (TarReader.Entry entry : links) {
            if (entry.kind() == TarReader.Kind.LINK) {
                WorkspacePath path = within(unpacked, entry.name());
                workspace.link(path, entry.target());
                finish(workspace, path, entry);
            } else {
                copy(workspace, unpacked, entry, copies);
            }
        }
        return directories;
    }

    private byte[] bytes() {
        try {
            byte[] bytes = Base64.getDecoder().decode(bundle);
            if (bytes.length > 0) {
                return bytes;
            }
            throw SessionErrors.invalid("Empty bundle");
        } catch (IllegalArgumentException e) {
            throw Fields.invalid("bundle", "is not base64");
        }
    }

    static WorkspacePath path(String name) {
        return name.equals(".") || name.equals("./")
                ? WorkspacePath.ROOT
                : RequestedPath.parse(name).path();
    }

    /** Refuses a path that is too long with the temporary directory before it. */
    private static WorkspacePath within(WorkspacePath unpacked, String name) {
        WorkspacePath path = path(name);
        try {
            return path.isRoot() ? unpacked : unpacked.resolve(path.value());
        } catch (IllegalArgumentException e) {
            throw SessionErrors.invalidPath();
        }
    }

    private static void write(
            SafeDirectory workspace, WorkspacePath path, TarReader.Entry entry, InputStream content)
            throws IOException {
        try (NewFile file = workspace.create(path)) {
            content.transferTo(Channels.newOutputStream(file.channel()));
            file.commit();
        }
        finish(workspace, path, entry);
    }

    /** A hard link becomes a copy of a file of the bundle, or else of the workspace. */
    private static void copy(
            SafeDirectory workspace,
            WorkspacePath unpacked,
            TarReader.Entry entry,
            ImportSizeLimit copies)
            throws IOException {
        try (OpenFile file = original(workspace, unpacked, entry.target())) {
            copies.add(
                    entry.name(), file.stat().size()); // a link of the bundle may have replaced it
            write(
                    workspace,
                    within(unpacked, entry.name()),
                    entry,
                    Channels.newInputStream(file.channel()));
        }
    }

    private static OpenFile original(SafeDirectory workspace, WorkspacePath unpacked, String target)
            throws IOException {
        try {
            return workspace.open(within(unpacked, target));
        } catch (NoSuchFileException e) {
            return workspace.open(path(target));
        }
    }

    private static void finish(SafeDirectory workspace, WorkspacePath path, TarReader.Entry entry)
            throws IOException {
        if (!path.isRoot()) {
            workspace.setAttributes(path, entry.mode(), entry.modified());
        }
    }
}
