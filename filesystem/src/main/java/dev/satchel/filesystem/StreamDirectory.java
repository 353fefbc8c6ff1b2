package dev.satchel.filesystem;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * For systems without openat2: opens one directory after the other on the way to a file, and
 * refuses every link. Java's API has two limits: a FIFO that replaces a file between check and open
 * blocks that reader, and files whose names are not UTF-8 are left out.
 */
public final class StreamDirectory implements SafeDirectory {
    private final SecureDirectoryStream<Path> root;
    private final Path temporaryFolder; // on the same disk

    private StreamDirectory(SecureDirectoryStream<Path> root, Path temporaryFolder) {
        this.root = root;
        this.temporaryFolder = temporaryFolder;
    }

    public static SafeDirectory open(Path path) throws IOException {
        Path real = path.toRealPath();
        Path parent = real.getParent();
        return new StreamDirectory(secure(real), parent == null ? real : parent);
    }

    @SuppressWarnings("StreamResourceLeak") // the caller closes it
    private static SecureDirectoryStream<Path> secure(Path path) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(path);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new IOException("this system has no safe way to open files beneath a directory");
    }

    @Override
    public OpenFile open(WorkspacePath path) throws IOException {
        try (SecureDirectoryStream<Path> parent = directory(path.parent())) {
            FileStat stat = StreamAttributes.stat(parent, path);
            if (stat.kind() == FileStat.Kind.LINK) {
                throw new UnsafePathException(path);
            }
            if (!stat.isFile()) {
                throw new IrregularFileException(path, stat.kind());
            }
            SeekableByteChannel channel =
                    parent.newByteChannel(
                            Path.of(path.name()),
                            Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
            return new OpenFile((FileChannel) channel, stat);
        }
    }

    @Override
    public FileStat stat(WorkspacePath path) throws IOException {
        try (SecureDirectoryStream<Path> parent = directory(path.parent())) {
            return StreamAttributes.stat(parent, path);
        }
    }

    /** Java reads a link by its whole path only, which is not safe. */
    @Override
    public String readLink(WorkspacePath path) throws IOException {
        throw new UnsafePathException(path);
    }

    @Override
    public List<WorkspaceEntry> list(WorkspacePath path) throws IOException {
        try (SecureDirectoryStream<Path> directory = directory(path)) {
            List<WorkspaceEntry> entries = new ArrayList<>();
            for (Path found : directory) {
                WorkspacePath child = path.resolve(String.valueOf(found.getFileName()));
                try {
                    entries.add(new WorkspaceEntry(child, StreamAttributes.stat(directory, child)));
                } catch (NoSuchFileException _) {
                    // removed meanwhile
                }
            }
            entries.sort(WorkspaceEntry.BY_NAME);
            return entries;
        }
    }

    @Override
    public NewFile create(WorkspacePath path) throws IOException {
        createDirectories(path.parent());
        return StreamNewFile.begin(directory(path.parent()), path);
    }

    @Override
    public void createDirectories(WorkspacePath path) throws IOException {
        WorkspacePath reached = WorkspacePath.ROOT;
        for (String name : path.names()) {
            try (SecureDirectoryStream<Path> above = directory(reached)) {
                reached = reached.resolve(name);
                if (!exists(above, reached)) {
                    makeDirectory(above, name);
                }
            }
        }
        directory(path).close();
    }

    private static boolean exists(SecureDirectoryStream<Path> above, WorkspacePath path)
            throws IOException {
        try {
            StreamAttributes.stat(above, path);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Java cannot create a directory in an open one, but it can move one there. */
    private void makeDirectory(SecureDirectoryStream<Path> above, String name) throws IOException {
        Path temporary = Files.createTempDirectory(temporaryFolder, TemporaryNames.PREFIX);
        Path created = temporary.resolve(name);
        try (SecureDirectoryStream<Path> source = secure(temporary)) {
            Files.createDirectory(created);
            StreamAttributes.setOwner(above, StreamAttributes.view(source, name));
            source.move(Path.of(name), above, Path.of(name));
        } finally {
            Files.deleteIfExists(created);
            Files.delete(temporary);
        }
    }

    /** Java creates a link by its whole path only, which is not safe. */
    @Override
    public void link(WorkspacePath path, String target) throws IOException {
        throw new UnsafePathException(path);
    }

    @Override
    public void setAttributes(WorkspacePath path, int mode, Instant modified) throws IOException {
        try (SecureDirectoryStream<Path> parent = directory(path.parent())) {
            PosixFileAttributeView file = StreamAttributes.view(parent, path.name());
            file.setPermissions(StreamAttributes.permissions(mode));
            FileTime time = FileTime.from(modified);
            file.setTimes(time, time, null);
        }
    }

    @Override
    public void rename(WorkspacePath from, WorkspacePath to) throws IOException {
        createDirectories(to.parent());
        try (SecureDirectoryStream<Path> source = directory(from.parent());
                SecureDirectoryStream<Path> target = directory(to.parent())) {
            source.move(Path.of(from.name()), target, Path.of(to.name()));
        }
    }

    @Override
    public void delete(WorkspacePath path) throws IOException {
        try (SecureDirectoryStream<Path> parent = directory(path.parent())) {
            if (StreamAttributes.stat(parent, path).isDirectory()) {
                parent.deleteDirectory(Path.of(path.name()));
            } else {
                parent.deleteFile(Path.of(path.name()));
            }
        }
    }

    private SecureDirectoryStream<Path> directory(WorkspacePath path) throws IOException {
        SecureDirectoryStream<Path> current = enter(root, ".", path);
        for (String name : path.names()) {
            try (SecureDirectoryStream<Path> above = current) {
                current = enter(above, name, path);
            }
        }
        return current;
    }

    private static SecureDirectoryStream<Path> enter(
            SecureDirectoryStream<Path> directory, String name, WorkspacePath path)
            throws IOException {
        try {
            return directory.newDirectoryStream(Path.of(name), LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (FileSystemException e) {
            FileStat there = StreamAttributes.stat(directory, new WorkspacePath(name));
            if (there.kind() == FileStat.Kind.LINK) {
                throw new UnsafePathException(path);
            }
            throw there.isDirectory() ? e : new NotDirectoryException(path.value());
        }
    }

    @Override
    public void close() {
        try {
            root.close();
        } catch (IOException e) {
            throw new IllegalStateException("a directory would not close", e);
        }
    }
}
