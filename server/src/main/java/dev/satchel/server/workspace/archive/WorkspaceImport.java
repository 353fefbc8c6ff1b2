package dev.satchel.server.workspace.archive;

import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.http.Fields;
import dev.satchel.server.workspace.RequestedPath;
import dev.satchel.server.workspace.SessionErrors;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * The body of {@code POST /api/sessions/{id}/workspace}: a tar.gz in base64, to be unpacked over
 * the workspace. The archive is validated to its end before anything is written, so an invalid one
 * changes nothing.
 */
record WorkspaceImport(String bundle) {
    WorkspaceImport {
        Fields.required("bundle", bundle);
    }

    void unpackInto(SafeDirectory directory) throws IOException {
        byte[] bytes = bytes();
        new ImportValidator(directory).check(bytes);
        ImportSizeLimit copies = new ImportSizeLimit();
        List<TarReader.Entry> links =
                new ArrayList<>(); // last, so that nothing is written through one
        List<TarReader.Entry> directories = new ArrayList<>();
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            TarReader tar = new TarReader(in);
            for (TarReader.Entry entry = tar.next(); entry != null; entry = tar.next()) {
                switch (entry.kind()) {
                    case DIRECTORY -> {
                        directory.createDirectories(path(entry.name()));
                        directories.add(entry);
                    }
                    case FILE -> write(directory, entry, tar.content());
                    case LINK, HARD_LINK -> links.add(entry);
                    case OTHER -> {} // devices and FIFOs are left out
                }
            }
            for (TarReader.Entry entry : links) {
                link(directory, entry, copies);
            }
            for (TarReader.Entry entry : directories.reversed()) {
                finish(directory, entry);
            }
        } catch (IrregularFileException e) {
            throw SessionErrors.notAFile();
        } catch (FileSystemException e) { // its message has paths of this server
            throw SessionErrors.invalidPath();
        }
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

    private static void write(SafeDirectory directory, TarReader.Entry entry, InputStream content)
            throws IOException {
        WorkspacePath path = path(entry.name());
        try (NewFile file = directory.create(path)) {
            content.transferTo(Channels.newOutputStream(file.channel()));
            file.commit();
        }
        finish(directory, entry);
    }

    private static void link(SafeDirectory directory, TarReader.Entry entry, ImportSizeLimit copies)
            throws IOException {
        if (entry.kind() == TarReader.Kind.LINK) {
            directory.link(path(entry.name()), entry.target());
            finish(directory, entry);
            return;
        }
        try (OpenFile file = directory.open(path(entry.target()))) {
            copies.add(file.stat().size()); // a link of the bundle may have replaced it
            write(directory, entry, Channels.newInputStream(file.channel()));
        }
    }

    private static void finish(SafeDirectory directory, TarReader.Entry entry) throws IOException {
        WorkspacePath path = path(entry.name());
        if (!path.isRoot()) {
            directory.setAttributes(path, entry.mode(), entry.modified());
        }
    }
}
