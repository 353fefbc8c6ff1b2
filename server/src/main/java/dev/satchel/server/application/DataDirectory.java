package dev.satchel.server.application;

import dev.satchel.server.node.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** The directory with all files of the server. */
public final class DataDirectory implements AutoCloseable {
    private final Path path;
    private @Nullable FileChannel lock;

    private DataDirectory(Path path) {
        this.path = path;
    }

    /** Creates the directory, accessible to its owner only, and checks that it is writable. */
    public static DataDirectory open(Path path) throws StartException {
        try {
            Files.createDirectories(
                    path,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            Files.delete(Files.createTempFile(path, ".writable", null));
            return new DataDirectory(path);
        } catch (FileAlreadyExistsException e) {
            throw new StartException("the data folder " + path + " is a file", e);
        } catch (IOException e) {
            throw new StartException(
                    "cannot write to the data folder " + path + ": " + reason(e), e);
        }
    }

    /** Prevents a second server from using the directory. */
    public void lock() throws StartException {
        Path file = path.resolve("lock");
        try {
            FileChannel channel =
                    FileChannel.open(
                            file,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                channel.close();
                String owner = Files.readString(file).strip();
                throw new StartException(
                        "another Satchel (process " + owner + ") uses the data folder " + path);
            }
            channel.truncate(0);
            byte[] pid =
                    Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
            channel.write(ByteBuffer.wrap(pid));
            lock = channel;
        } catch (IOException e) {
            throw new StartException("cannot lock the data folder " + path, e);
        }
    }

    public Path path() {
        return path;
    }

    /** The id of this server among those of its database; created at the first start. */
    NodeId nodeId() throws StartException {
        Path file = path.resolve("node-id");
        try {
            if (!Files.exists(file)) {
                Path draft = path.resolve("node-id.new");
                Files.writeString(draft, NodeId.random().value() + "\n");
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            }
            return new NodeId(Files.readString(file).strip());
        } catch (IOException | IllegalArgumentException e) {
            throw new StartException("cannot store this server's id in " + file, e);
        }
    }

    @Override
    public void close() throws IOException {
        if (lock != null) {
            lock.close();
        }
    }

    private static String reason(IOException failure) {
        if (failure instanceof FileSystemException known && known.getReason() != null) {
            return known.getReason();
        }
        return failure instanceof AccessDeniedException
                ? "permission denied"
                : failure.getClass().getSimpleName();
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // another server in this process has it, as in tests
        }
    }
}
