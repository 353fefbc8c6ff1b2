package dev.satchel.runner.sandbox.disk;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.satchel.filesystem.linux.FileSystemCalls;
import dev.satchel.filesystem.linux.FileSystemCalls.StatxResult;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * Measures deleted files that processes still have open or mapped: their blocks are used until
 * then, and no walk of a tree finds them.
 */
final class DeletedFiles {
    private static final long BLOCK_BYTES = 512;

    private final StatxResult result;
    private final Set<Device> devices = new HashSet<>();
    private final Set<Inode> found = new HashSet<>();
    private long bytes;

    private DeletedFiles(StatxResult result) {
        this.result = result;
    }

    private record Device(int major, int minor) {}

    private record Inode(Device device, long number) {}

    /** The bytes of such files on the file systems of {@code trees}. */
    static long bytes(Collection<Long> processes, Collection<Path> trees) {
        try (Arena arena = Arena.ofConfined()) {
            DeletedFiles files = new DeletedFiles(StatxResult.in(arena));
            for (Path tree : trees) {
                if (files.stat(tree)) {
                    files.devices.add(files.device());
                }
            }
            processes.forEach(files::addProcess);
            return files.bytes;
        }
    }

    /** A thread may have descriptors of its own. */
    private void addProcess(long id) {
        Path process = Path.of("/proc", Long.toString(id));
        addLinks(process.resolve("map_files"));
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path thread : threads) {
                addLinks(thread.resolve("fd"));
            }
        } catch (IOException | DirectoryIteratorException _) {
            // the process has ended
        }
    }

    private void addLinks(Path directory) {
        try (DirectoryStream<Path> links = Files.newDirectoryStream(directory)) {
            for (Path link : links) {
                if (stat(link)) {
                    addFile();
                }
            }
        } catch (IOException | DirectoryIteratorException _) {
            // the process has ended, or its mappings are not shown to this user
        }
    }

    private void addFile() {
        MemorySegment stat = result.stat();
        boolean isDeleted = stat.get(JAVA_INT, 16) == 0;
        Device device = device();
        if (isDeleted
                && devices.contains(device)
                && found.add(new Inode(device, stat.get(JAVA_LONG, 32)))) {
            bytes += stat.get(JAVA_LONG, 48) * BLOCK_BYTES;
        }
    }

    private Device device() {
        return new Device(result.stat().get(JAVA_INT, 136), result.stat().get(JAVA_INT, 140));
    }

    private boolean stat(Path path) {
        return FileSystemCalls.statx(FileSystemCalls.AT_FDCWD, path.toString(), 0, result) == 0;
    }
}
