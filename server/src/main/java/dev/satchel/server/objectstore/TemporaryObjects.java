package dev.satchel.server.objectstore;

import dev.satchel.filesystem.linux.CFunction;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
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
import java.util.ArrayList;
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

    /** Below this number the files are flushed one by one. */
    private static final int FEW_FILES = 8;

    private static final int CLOSE_ON_EXEC = 0x80000;
    private static final CFunction OPEN = CFunction.named("open");
    private static final CFunction FLUSH = CFunction.named("syncfs");
    private static final CFunction CLOSE = CFunction.named("close");

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

    /** Small files that are flushed together; the caller closes it. */
    Batch batch() {
        return new Batch();
    }

    /** Files of small objects. For one thread. */
    final class Batch implements AutoCloseable {
        private final List<TempFile> files = new ArrayList<>();

        List<TempFile> files() {
            return List.copyOf(files);
        }

        void write(byte[] content) throws IOException {
            TempFile file = create();
            files.add(file);
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                file.channel().write(bytes);
            }
        }

        /** One flush of the file system takes less time than many of single files. */
        void flush() throws IOException {
            if (files.size() > FEW_FILES && flushFileSystem(directory)) {
                return;
            }
            for (TempFile file : files) {
                file.channel().force(true);
            }
        }

        @Override
        public void close() throws IOException {
            for (TempFile file : files) {
                file.close();
            }
        }
    }

    private static boolean flushFileSystem(Path directory) {
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom(directory.toString()).address();
            int descriptor = OPEN.call(name, CLOSE_ON_EXEC);
            if (descriptor < 0) {
                return false;
            }
            int flushed = FLUSH.call(descriptor);
            int _ = CLOSE.call(descriptor);
            return flushed == 0;
        }
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
