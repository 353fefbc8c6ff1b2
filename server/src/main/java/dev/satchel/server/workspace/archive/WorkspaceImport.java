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
 * the workspace. It is read to its end before anything is written, so that a broken one changes
 * nothing.
 */
record WorkspaceImport(String bundle) {
    WorkspaceImport {
        Fields.required("bundle", bundle);
    }

    void unpackInto(SafeDirectory directory) throws IOException {
        byte[] bytes = bytes();
        new ImportValidator(directory).check(bytes);
        ImportSizeLimit copies = new ImportSizeLimit();
        List<TarReader.Member> late = new ArrayList<>(); // nothing is written through a link of it
        List<TarReader.Member> directories = new ArrayList<>();
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            TarReader tar = new TarReader(in);
            for (TarReader.Member member = tar.next(); member != null; member = tar.next()) {
                switch (member.kind()) {
                    case DIRECTORY -> {
                        directory.createDirectories(path(member.name()));
                        directories.add(member);
                    }
                    case FILE -> write(directory, member, tar.content());
                    case LINK, HARD_LINK -> late.add(member);
                    case OTHER -> {} // no workspace keeps what is on the other end
                }
            }
            for (TarReader.Member member : late) {
                link(directory, member, copies);
            }
            for (TarReader.Member member : directories.reversed()) {
                finish(directory, member);
            }
        } catch (IrregularFileException e) {
            throw SessionErrors.notAFile();
        } catch (FileSystemException e) { // its text would name our folders
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

    private static void write(SafeDirectory directory, TarReader.Member member, InputStream content)
            throws IOException {
        WorkspacePath path = path(member.name());
        try (NewFile file = directory.create(path)) {
            content.transferTo(Channels.newOutputStream(file.channel()));
            file.commit();
        }
        finish(directory, member);
    }

    private static void link(
            SafeDirectory directory, TarReader.Member member, ImportSizeLimit copies)
            throws IOException {
        if (member.kind() == TarReader.Kind.LINK) {
            directory.link(path(member.name()), member.target());
            finish(directory, member);
            return;
        }
        try (OpenFile twin = directory.open(path(member.target()))) {
            copies.add(twin.stat().size()); // a link of the bundle may lead to it
            write(directory, member, Channels.newInputStream(twin.channel()));
        }
    }

    private static void finish(SafeDirectory directory, TarReader.Member member)
            throws IOException {
        WorkspacePath path = path(member.name());
        if (!path.isRoot()) {
            directory.setAttributes(path, member.mode(), member.modified());
        }
    }
}
