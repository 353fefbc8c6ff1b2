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

/** The folder that holds everything which must outlive the process. */
public final class DataDirectory implements AutoCloseable {
    private final Path path;
    private @Nullable FileChannel lock;

    private DataDirectory(Path path) {
        this.path = path;
    }

    /** Makes the folder, for its owner only, and sees that it can be written. */
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

    /** Keeps a second server out: the database, the objects or the workspaces in it are one's. */
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

    /** Names what lies here among the servers of one database; made at the first start. */
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
            throw new StartException("cannot keep this server's id in " + file, e);
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
            return null; // held by this very process: two servers in one test
        }
    }
}
