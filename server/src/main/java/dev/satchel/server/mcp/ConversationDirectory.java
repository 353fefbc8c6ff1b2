package dev.satchel.server.mcp;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.IntegrityProblem;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The two areas of one conversation as a directory. A path is looked up in the rows of the
 * conversation, and the content is read from the object store.
 */
final class ConversationDirectory implements ReadableDirectory {
    static final String UPLOADED = "uploaded";
    static final String STAGED = "staged";
    static final List<String> AREAS = List.of(UPLOADED, STAGED);

    private final ObjectStore objects;
    private final List<Entry> entries;
    private @Nullable String refusal;

    /** One file: its area, its id, its stored content and its time. */
    record Entry(String area, String id, StoredFile file, long modified) {
        WorkspacePath path() {
            return new WorkspacePath(area + "/" + file.name());
        }

        private long inode() {
            return Long.parseUnsignedLong(file.sha256().substring(0, 16), 16);
        }

        /** The hash replaces the inode: files with the same content are the same file. */
        FileStat stat() {
            Instant time = Instant.ofEpochMilli(modified);
            return new FileStat(FileStat.Kind.FILE, file.size(), time, time, 0400, 1, inode());
        }
    }

    ConversationDirectory(ObjectStore objects, List<Entry> entries) {
        this.objects = objects;
        this.entries = List.copyOf(entries);
    }

    /** A file of an area by its name or its id. */
    Optional<Entry> find(String area, String nameOrId) {
        return entries.stream()
                .filter(entry -> entry.area().equals(area))
                .filter(e -> e.file().name().equals(nameOrId) || e.id().equals(nameOrId))
                .findFirst();
    }

    /** Why the content of an existing row could not be read, if that happened. */
    Optional<String> refusal() {
        return Optional.ofNullable(refusal);
    }

    @Override
    public OpenFile open(WorkspacePath path) throws IOException {
        if (isDirectory(path)) {
            throw new IrregularFileException(path, FileStat.Kind.DIRECTORY);
        }
        Entry entry = entry(path);
        FileChannel channel = channel(entry);
        if (channel.size() != entry.file().size()) {
            channel.close();
            refusal = "bytes_altered"; // the stored object was changed from outside
            throw new NoSuchFileException(path.value());
        }
        return new OpenFile(channel, entry.stat());
    }

    @Override
    public FileStat stat(WorkspacePath path) throws IOException {
        return isDirectory(path) ? directory() : entry(path).stat();
    }

    @Override
    public List<WorkspaceEntry> list(WorkspacePath directory) throws IOException {
        if (directory.isRoot()) {
            return AREAS.stream()
                    .map(area -> new WorkspaceEntry(new WorkspacePath(area), directory()))
                    .toList();
        }
        if (!isDirectory(directory)) {
            throw new NotDirectoryException(directory.value());
        }
        String prefix = directory.value() + "/";
        Map<String, WorkspaceEntry> children = new TreeMap<>();
        for (Entry entry : entries) {
            String path = entry.path().value();
            int end = path.indexOf('/', prefix.length());
            if (path.startsWith(prefix) && end < 0) {
                children.put(path, new WorkspaceEntry(entry.path(), entry.stat()));
            } else if (path.startsWith(prefix)) {
                WorkspacePath folder = new WorkspacePath(path.substring(0, end));
                children.put(folder.value(), new WorkspaceEntry(folder, directory()));
            }
        }
        return List.copyOf(children.values());
    }

    private FileChannel channel(Entry entry) throws IOException {
        Optional<IntegrityProblem> problem = objects.findProblem(entry.file().key());
        if (problem.isPresent()) {
            refusal = "bytes_" + problem.get().name().toLowerCase(Locale.ROOT);
            throw missing(entry.path());
        }
        try {
            Optional<FileChannel> file = objects.openFile(entry.file().key());
            return file.isPresent() ? file.get() : spooled(entry);
        } catch (IOException e) {
            refusal = "bytes_unreadable"; // removed or changed just now
            NoSuchFileException missing = missing(entry.path());
            missing.initCause(e);
            throw missing;
        }
    }

    /** A temporary copy, for object stores without local files. */
    private FileChannel spooled(Entry entry) throws IOException {
        Path copy = Files.createTempFile("satchel-mcp-", ".bytes");
        try (InputStream in = objects.open(entry.file().key())) {
            Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
            return FileChannel.open(
                    copy, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
        } catch (IOException e) {
            Files.deleteIfExists(copy);
            throw e;
        }
    }

    private Entry entry(WorkspacePath path) throws NoSuchFileException {
        String value = path.value();
        int slash = value.indexOf('/');
        if (slash < 0) {
            throw missing(path);
        }
        return find(value.substring(0, slash), value.substring(slash + 1))
                .orElseThrow(() -> missing(path));
    }

    private static NoSuchFileException missing(WorkspacePath path) {
        return new NoSuchFileException(path.value());
    }

    /** An area, or a directory in the name of a file. */
    boolean isDirectory(WorkspacePath path) {
        return path.isRoot()
                || AREAS.contains(path.value())
                || entries.stream()
                        .anyMatch(entry -> entry.path().value().startsWith(path.value() + "/"));
    }

    private static FileStat directory() {
        return new FileStat(FileStat.Kind.DIRECTORY, 0, Instant.EPOCH, Instant.EPOCH, 0500, 1, 0);
    }
}
