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

/** A new file next to the one it will replace, through an open directory. */
final class StreamNewFile implements NewFile {
    private static final Set<PosixFilePermission> USUAL =
            PosixFilePermissions.fromString("rw-r--r--");

    private final SecureDirectoryStream<Path> directory;
    private final WorkspacePath path;
    private final Path temporary;
    private final FileChannel channel;
    private boolean settled;

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

    /** Takes over the directory: it is closed with the file, or at once when this fails. */
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
            StreamAttributes.giveAway(directory, view);
            // the JDK sets permissions through a descriptor only where links are followed
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
            FileStat there = StreamAttributes.stat(directory, path);
            if (there.isDirectory()) {
                throw new IrregularFileException(path, there.kind());
            }
            return there.isFile()
                    ? StreamAttributes.view(directory, path.name()).readAttributes().permissions()
                    : USUAL;
        } catch (NoSuchFileException e) {
            return USUAL;
        }
    }

    @Override
    public FileChannel channel() {
        return channel;
    }

    @Override
    public void commit() throws IOException {
        directory.move(temporary, directory, Path.of(path.name()));
        settled = true;
    }

    @Override
    public void close() throws IOException {
        if (!channel.isOpen()) {
            return;
        }
        try (directory;
                channel) {
            if (!settled) {
                directory.deleteFile(temporary);
            }
        }
    }
}
