package dev.satchel.server.mcp;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.NewFile;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.file.StoredFile;
import dev.satchel.server.objectstore.IntegrityProblem;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
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
 * The two areas of one conversation as a directory. There is no folder behind it: a path is looked
 * up in the conversation's rows, so nothing else exists, and bytes come straight from the store.
 */
final class ConversationFiles implements SafeDirectory {
    static final String UPLOADED = "uploaded";
    static final String STAGED = "staged";
    static final List<String> AREAS = List.of(UPLOADED, STAGED);

    private final ObjectStore objects;
    private final List<Entry> entries;
    private @Nullable String refusal;

    /** One file: where it is shown, by which id it is known, and where its bytes lie. */
    record Entry(String area, String id, StoredFile file, long modified) {
        WorkspacePath path() {
            return new WorkspacePath(area + "/" + file.name());
        }

        private long inode() {
            return Long.parseUnsignedLong(file.sha256().substring(0, 16), 16);
        }

        /** The hash stands in for an inode: files that look like one are one. */
        FileStat stat() {
            Instant time = Instant.ofEpochMilli(modified);
            return new FileStat(FileStat.Kind.FILE, file.size(), time, time, 0400, 1, inode());
        }
    }

    ConversationFiles(ObjectStore objects, List<Entry> entries) {
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

    /** Why bytes could not be had although there is a row, if that has happened. */
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
            refusal = "bytes_altered"; // somebody changed the store behind our back
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

    @Override
    public NewFile create(WorkspacePath path) throws IOException {
        throw readOnly(path);
    }

    @Override
    public String readLink(WorkspacePath path) throws IOException {
        throw new UnsafePathException(path); // neither area ever holds a link
    }

    @Override
    public void createDirectories(WorkspacePath path) throws IOException {
        throw readOnly(path);
    }

    @Override
    public void link(WorkspacePath path, String target) throws IOException {
        throw readOnly(path);
    }

    @Override
    public void setAttributes(WorkspacePath path, int mode, Instant modified) throws IOException {
        throw readOnly(path);
    }

    @Override
    public void rename(WorkspacePath from, WorkspacePath to) throws IOException {
        throw readOnly(from);
    }

    @Override
    public void delete(WorkspacePath path) throws IOException {
        throw readOnly(path);
    }

    @Override
    public void close() {
        // nothing is held open
    }

    private FileChannel channel(Entry entry) throws IOException {
        Optional<IntegrityProblem> oddity = objects.oddity(entry.file().key());
        if (oddity.isPresent()) {
            refusal = "bytes_" + oddity.get().name().toLowerCase(Locale.ROOT);
            throw missing(entry.path());
        }
        try {
            Optional<FileChannel> file = objects.openFile(entry.file().key());
            return file.isPresent() ? file.get() : spooled(entry);
        } catch (IOException e) {
            refusal = "bytes_unreadable"; // gone or changed in this moment
            NoSuchFileException missing = missing(entry.path());
            missing.initCause(e);
            throw missing;
        }
    }

    /** Where a store has no files, a copy serves for as long as it is open. */
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

    /** An area, or a folder that some file's name has. */
    boolean isDirectory(WorkspacePath path) {
        return path.isRoot()
                || AREAS.contains(path.value())
                || entries.stream()
                        .anyMatch(entry -> entry.path().value().startsWith(path.value() + "/"));
    }

    private static FileStat directory() {
        return new FileStat(FileStat.Kind.DIRECTORY, 0, Instant.EPOCH, Instant.EPOCH, 0500, 1, 0);
    }

    private static AccessDeniedException readOnly(WorkspacePath path) {
        return new AccessDeniedException(path.value(), null, "read only");
    }
}
