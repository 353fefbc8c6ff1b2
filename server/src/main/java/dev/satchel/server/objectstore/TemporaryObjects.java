package dev.satchel.server.objectstore;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Files of objects that are not complete yet. A writer holds a lock on its file, so files left by a
 * crash differ from files that another process is writing.
 */
final class TemporaryObjects {
    /** No encoded key has this name. */
    static final String DIRECTORY = "%tmp";

    /** The size of the first buffer, which is enough for most files. */
    private static final int SMALL_BYTES = 16 * 1024;

    private static final int BUFFER_BYTES = 256 * 1024;

    private final Path directory;

    TemporaryObjects(Path root) throws IOException {
        this.directory = root.resolve(DIRECTORY);
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
                throw new NotDirectoryException(directory.toString());
            }
            Files.createDirectory(directory);
        }
        sweep();
    }

    TempFile create() throws IOException {
        Path path = directory.resolve(UUID.randomUUID().toString());
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            channel.lock();
        } catch (IOException e) {
            channel.close();
            Files.deleteIfExists(path);
            throw e;
        }
        return new TempFile(path, channel, new EarlyWriteback(path));
    }

    private void sweep() throws IOException {
        try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(directory)) {
            for (Path path : leftovers) {
                deleteUnlessLocked(path);
            }
        }
    }

    private static void deleteUnlessLocked(Path path) throws IOException {
        try (FileChannel channel =
                        FileChannel.open(
                                path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                @Nullable FileLock lock = channel.tryLock()) {
            if (lock != null) {
                Files.deleteIfExists(path);
            }
        } catch (OverlappingFileLockException | NoSuchFileException e) {
            return; // this process is writing it, or another has just finished
        }
    }

    /** The file of one object; closing deletes it unless it was renamed. */
    record TempFile(Path path, FileChannel channel, EarlyWriteback writeback)
            implements AutoCloseable {
        ObjectPath diskPath() {
            return new ObjectPath(List.of(DIRECTORY), path.getFileName().toString());
        }

        StoredObject fill(InputStream content) throws IOException {
            Sha256InputStream hashed = new Sha256InputStream(content);
            byte[] buffer = new byte[SMALL_BYTES];
            long size = 0;
            for (int n = hashed.readNBytes(buffer, 0, buffer.length);
                    n > 0;
                    n = hashed.readNBytes(buffer, 0, buffer.length)) {
                ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, n);
                while (bytes.hasRemaining()) {
                    size += channel.write(bytes);
                }
                writeback.written(size);
                buffer = buffer.length < BUFFER_BYTES ? new byte[BUFFER_BYTES] : buffer;
            }
            channel.force(true);
            return new StoredObject(size, hashed.sha256());
        }

        @Override
        public void close() throws IOException {
            try (channel;
                    writeback) {
                Files.deleteIfExists(path);
            }
        }
    }
}
