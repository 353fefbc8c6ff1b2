package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** A new file beside the one that it replaces, in an open directory. */
final class StreamNewFile implements NewFile {
    private static final Set<PosixFilePermission> DEFAULT_PERMISSIONS =
            PosixFilePermissions.fromString("rw-r--r--");

    private final SecureDirectoryStream<Path> directory;
    private final WorkspacePath path;
    private final Path temporary;
    private final FileChannel channel;
    private boolean committed;

    private StreamNewFile(
            SecureDirectoryStream<Path> directory,
            WorkspacePath path,
            Path temporary,
            FileChannel channel) {
        this.directory = directory;
        this.path = path;
        this.temporary = temporary;
        this.channel = channel;
    }

    /** The directory is closed with the file, or at once if this fails. */
    static StreamNewFile begin(SecureDirectoryStream<Path> directory, WorkspacePath path)
            throws IOException {
        boolean begun = false;
        try {
            Set<PosixFilePermission> permissions = permissionsFor(directory, path);
            Path temporary = Path.of(TemporaryNames.next());
            FileChannel channel =
                    (FileChannel)
                            directory.newByteChannel(
                                    temporary,
                                    Set.of(
                                            StandardOpenOption.WRITE,
                                            StandardOpenOption.CREATE_NEW,
                                            LinkOption.NOFOLLOW_LINKS));
            StreamNewFile file = new StreamNewFile(directory, path, temporary, channel);
            file.prepare(permissions);
            begun = true;
            return file;
        } finally {
            if (!begun) {
                directory.close();
            }
        }
    }

    private void prepare(Set<PosixFilePermission> permissions) throws IOException {
        PosixFileAttributeView view =
                StreamAttributes.view(directory, String.valueOf(temporary.getFileName()));
        try {
            StreamAttributes.setOwner(directory, view);
            // the JDK sets permissions through a descriptor only if links are followed
            directory
                    .getFileAttributeView(temporary, PosixFileAttributeView.class)
                    .setPermissions(permissions);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private static Set<PosixFilePermission> permissionsFor(
            SecureDirectoryStream<Path> directory, WorkspacePath path) throws IOException {
        try {
            FileStat existing = StreamAttributes.stat(directory, path);
            if (existing.isDirectory()) {
                throw new IrregularFileException(path, existing.kind());
            }
            return existing.isFile()
                    ? StreamAttributes.view(directory, path.name()).readAttributes().permissions()
                    : DEFAULT_PERMISSIONS;
        } catch (NoSuchFileException e) {
            return DEFAULT_PERMISSIONS;
        }
    }

    @Override
    public FileChannel channel() {
        return channel;
    }

    @Override
    public void commit() throws IOException {
        directory.move(temporary, directory, Path.of(path.name()));
        committed = true;
    }

    @Override
    public void close() throws IOException {
        if (!channel.isOpen()) {
            return;
        }
        try (directory;
                channel) {
            if (!committed) {
                directory.deleteFile(temporary);
            }
        }
    }
}
