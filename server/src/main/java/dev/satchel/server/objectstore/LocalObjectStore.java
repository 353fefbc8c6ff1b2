package dev.satchel.server.objectstore;

import dev.satchel.http.BoundedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Objects as files below a directory. A file is written under a temporary name, flushed to the disk
 * and then renamed.
 */
public final class LocalObjectStore implements ObjectStore {
    /** How often another thread may remove the target directory before this fails. */
    private static final int RENAME_ATTEMPTS = 100;

    private final ObjectDirectories tree;
    private final TemporaryObjects temps;

    /** Creates the directory if it is missing and deletes temporary files left by a crash. */
    public LocalObjectStore(Path root) throws IOException {
        this.tree = new ObjectDirectories(root);
        this.temps = new TemporaryObjects(root);
    }

    @Override
    public StoredObject put(ObjectKey key, InputStream content) throws IOException {
        try (TemporaryObjects.TempFile temp = temps.create()) {
            StoredObject stored = temp.fill(content);
            rename(temp.diskPath(), ObjectPath.of(key));
            return stored;
        }
    }

    /** Writes all files and flushes them together, which costs one flush instead of hundreds. */
    @Override
    public void putAll(Map<ObjectKey, byte[]> objects) throws IOException {
        try (TemporaryObjects.Batch batch = temps.batch()) {
            for (byte[] content : objects.values()) {
                batch.write(content);
            }
            batch.flush();
            Set<List<String>> directories = new HashSet<>();
            Iterator<TemporaryObjects.TempFile> files = batch.files().iterator();
            for (ObjectKey key : objects.keySet()) {
                ObjectPath path = ObjectPath.of(key);
                rename(files.next().diskPath(), path, false);
                directories.add(path.directories());
            }
            for (List<String> directory : directories) {
                tree.sync(directory);
            }
        }
    }

    @Override
    public Optional<AppendableObject> createAppendable(ObjectKey key) throws IOException {
        ObjectPath path = ObjectPath.of(key);
        TemporaryObjects.TempFile temp = temps.create();
        try {
            rename(temp.diskPath(), path);
            Path file = tree.resolve(path.directories()).resolve(path.leaf());
            return Optional.of(new AppendableObject(temp.channel(), new EarlyWriteback(file)));
        } catch (IOException e) {
            temp.close();
            throw e;
        }
    }

    @Override
    public InputStream open(ObjectKey key) throws IOException {
        return Channels.newInputStream(openChannel(key));
    }

    @Override
    public InputStream open(ObjectKey key, long offset, long length) throws IOException {
        Objects.checkFromIndexSize(offset, length, Long.MAX_VALUE);
        SeekableByteChannel channel = openChannel(key);
        try {
            channel.position(offset);
            return BoundedInputStream.endingAfter(Channels.newInputStream(channel), length);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public Optional<FileChannel> openFile(ObjectKey key) throws IOException {
        SeekableByteChannel channel = openChannel(key);
        if (channel instanceof FileChannel file) {
            return Optional.of(file);
        }
        channel.close();
        return Optional.empty();
    }

    @Override
    public Optional<IntegrityProblem> findProblem(ObjectKey key) throws IOException {
        return tree.findProblem(ObjectPath.of(key));
    }

    @Override
    public OptionalLong size(ObjectKey key) throws IOException {
        return size(ObjectPath.of(key));
    }

    @Override
    public void copy(ObjectKey from, ObjectKey to) throws IOException {
        try (InputStream content = open(from)) {
            put(to, content);
        }
    }

    @Override
    public void move(ObjectKey from, ObjectKey to) throws IOException {
        ObjectPath source = ObjectPath.of(from);
        try {
            touch(source);
            rename(source, ObjectPath.of(to));
        } catch (NoSuchFileException e) {
            throw new NoSuchObjectException(from);
        }
        tree.prune(source.directories());
    }

    @Override
    public void delete(ObjectKey key) throws IOException {
        ObjectPath path = ObjectPath.of(key);
        if (size(key).isEmpty()) {
            return;
        }
        try (SecureDirectoryStream<Path> directory = tree.open(path.directories())) {
            directory.deleteFile(Path.of(path.leaf()));
        } catch (NoSuchFileException e) {
            return; // another thread has deleted it
        }
        tree.prune(path.directories());
    }

    @Override
    public long deletePrefix(String prefix) throws IOException {
        List<String> names = ObjectPath.names(ObjectKey.prefixSegments(prefix));
        if (Files.notExists(tree.resolve(names), LinkOption.NOFOLLOW_LINKS)) {
            return 0; // nothing to make durable
        }
        long count = tree.clear(names);
        tree.prune(names);
        return count;
    }

    @Override
    public Stream<ListedObject> list(String prefix) throws IOException {
        List<String> names =
                prefix.isEmpty() ? List.of() : ObjectPath.names(ObjectKey.prefixSegments(prefix));
        return LocalObjectListing.objects(tree.resolve(List.of()), names);
    }

    @Override
    public void close() {
        // no resource is open between calls
    }

    private void rename(ObjectPath from, ObjectPath to) throws IOException {
        rename(from, to, true);
    }

    /** Tries again when another thread removes the empty target directory. */
    private void rename(ObjectPath from, ObjectPath to, boolean durably) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                tree.create(to.directories());
                renameOnce(from, to);
                if (durably) {
                    tree.sync(to.directories());
                }
                return;
            } catch (NoSuchFileException e) {
                if (attempt == RENAME_ATTEMPTS || size(from).isEmpty()) {
                    tree.prune(to.directories());
                    throw e;
                }
            }
        }
    }

    private void renameOnce(ObjectPath from, ObjectPath to) throws IOException {
        try (SecureDirectoryStream<Path> source = tree.open(from.directories());
                SecureDirectoryStream<Path> target = tree.open(to.directories())) {
            source.move(Path.of(from.leaf()), target, Path.of(to.leaf()));
        }
    }

    /** As on S3, a moved object is new, so that a sweeper of old objects does not delete it. */
    private void touch(ObjectPath path) throws IOException {
        Path leaf = Path.of(path.leaf());
        try (SecureDirectoryStream<Path> directory = tree.open(path.directories())) {
            if (!ObjectDirectories.attributes(directory, leaf).isRegularFile()) {
                throw new NoSuchFileException(path.leaf());
            }
            directory
                    .getFileAttributeView(
                            leaf, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setTimes(FileTime.from(Instant.now()), null, null);
        }
    }

    private OptionalLong size(ObjectPath path) throws IOException {
        try (SecureDirectoryStream<Path> directory = tree.open(path.directories())) {
            BasicFileAttributes file =
                    ObjectDirectories.attributes(directory, Path.of(path.leaf()));
            return file.isRegularFile() ? OptionalLong.of(file.size()) : OptionalLong.empty();
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        }
    }

    private SeekableByteChannel openChannel(ObjectKey key) throws IOException {
        ObjectPath path = ObjectPath.of(key);
        Path leaf = Path.of(path.leaf());
        try (SecureDirectoryStream<Path> directory = tree.open(path.directories())) {
            if (!ObjectDirectories.attributes(directory, leaf).isRegularFile()) {
                throw new NoSuchObjectException(key);
            }
            return directory.newByteChannel(
                    leaf, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            throw new NoSuchObjectException(key);
        }
    }
}
