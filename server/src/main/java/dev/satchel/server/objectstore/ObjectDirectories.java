package dev.satchel.server.objectstore;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The directories below a root. Each is opened relative to its parent and never through a link, so
 * that no link leads outside, even one created a moment ago.
 */
final class ObjectDirectories {
    record Entry(String name, BasicFileAttributes attributes) {}

    private final Path root;

    ObjectDirectories(Path root) throws IOException {
        Files.createDirectories(root);
        this.root = root.toRealPath();
        open(List.of()).close(); // fails now where the platform cannot do this
    }

    /** Opens a directory; the caller closes it. */
    @SuppressWarnings("StreamResourceLeak")
    SecureDirectoryStream<Path> open(List<String> names) throws IOException {
        SecureDirectoryStream<Path> current = secure(Files.newDirectoryStream(root));
        for (String name : names) {
            try (SecureDirectoryStream<Path> parent = current) {
                current = enter(parent, Path.of(name));
            }
        }
        return current;
    }

    /** Creates a directory and its missing parents, durably. */
    void create(List<String> names) throws IOException {
        Path directory = resolve(names);
        if (Files.isDirectory(directory)) {
            return;
        }
        Path current = root;
        for (String name : names) {
            Path parent = current;
            current = parent.resolve(name);
            try {
                Files.createDirectory(current);
                sync(parent);
            } catch (FileAlreadyExistsException e) {
                requireDirectory(current);
            }
        }
    }

    /** Fails as if the parent were missing when another thread has removed it just now. */
    private static void requireDirectory(Path path) throws IOException {
        if (!Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS).isDirectory()) {
            throw new NotDirectoryException(path.toString());
        }
    }

    /** Makes changes of the entries of a directory durable. */
    void sync(List<String> names) throws IOException {
        sync(resolve(names));
    }

    /** Checks each name of the path without following links. */
    Optional<IntegrityProblem> findProblem(ObjectPath path) throws IOException {
        Path current = root;
        try {
            for (String name : path.directories()) {
                current = current.resolve(name);
                if (Files.isSymbolicLink(current)) {
                    return Optional.of(IntegrityProblem.LINKED_FOLDER);
                }
            }
            return findProblem(current.resolve(path.leaf()));
        } catch (NoSuchFileException e) {
            return Optional.of(IntegrityProblem.MISSING);
        }
    }

    private static Optional<IntegrityProblem> findProblem(Path file) throws IOException {
        BasicFileAttributes found =
                Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS);
        if (found.isSymbolicLink()) {
            return Optional.of(IntegrityProblem.LINK);
        }
        if (!found.isRegularFile()) {
            return Optional.of(IntegrityProblem.NO_FILE);
        }
        boolean shared = (int) Files.getAttribute(file, "unix:nlink", NOFOLLOW_LINKS) > 1;
        return shared ? Optional.of(IntegrityProblem.HARD_LINK) : Optional.empty();
    }

    /** The entries of a directory; none when it has been deleted. */
    List<Entry> entries(List<String> names) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (SecureDirectoryStream<Path> directory = open(names)) {
            for (Path path : directory) {
                Path name = path.getFileName();
                try {
                    entries.add(new Entry(name.toString(), attributes(directory, name)));
                } catch (NoSuchFileException e) {
                    // deleted since the directory was read
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        }
        return entries;
    }

    /** Deletes everything in a directory; returns the number of files. */
    long clear(List<String> names) throws IOException {
        List<Entry> entries = entries(names);
        if (entries.isEmpty()) {
            return 0;
        }
        long count = 0;
        try (SecureDirectoryStream<Path> directory = open(names)) {
            for (Entry entry : entries) {
                count += entry.attributes().isDirectory() ? clear(child(names, entry.name())) : 0;
                count += remove(directory, entry);
            }
        }
        return count;
    }

    /** Removes a directory if it is empty, then its empty parents. */
    void prune(List<String> names) throws IOException {
        for (int depth = names.size(); depth > 0; depth--) {
            try (SecureDirectoryStream<Path> parent = open(names.subList(0, depth - 1))) {
                Path name = Path.of(names.get(depth - 1));
                if (!attributes(parent, name).isDirectory()) {
                    return; // a link, which this store never creates
                }
                parent.deleteDirectory(name);
            } catch (NoSuchFileException e) {
                // another thread removed it, but its parent may be empty too
            } catch (DirectoryNotEmptyException e) {
                sync(names.subList(0, depth));
                return;
            }
        }
        sync(root);
    }

    static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name)
            throws IOException {
        return directory
                .getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS)
                .readAttributes();
    }

    static List<String> child(List<String> names, String name) {
        return Stream.concat(names.stream(), Stream.of(name)).toList();
    }

    private static int remove(SecureDirectoryStream<Path> directory, Entry entry)
            throws IOException {
        Path name = Path.of(entry.name());
        try {
            if (entry.attributes().isDirectory()) {
                directory.deleteDirectory(name);
                return 0;
            }
            directory.deleteFile(name);
            return entry.attributes().isRegularFile() ? 1 : 0;
        } catch (NoSuchFileException | DirectoryNotEmptyException e) {
            return 0; // another thread deleted it or created a file in it
        }
    }

    Path resolve(List<String> names) {
        return root.resolve(String.join("/", names));
    }

    private static SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> parent, Path name)
            throws IOException {
        try {
            return parent.newDirectoryStream(name, NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (FileSystemException e) {
            if (attributes(parent, name).isDirectory()) {
                throw e;
            }
            throw new NoSuchFileException(name.toString(), null, "not a directory");
        }
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> directory)
            throws IOException {
        if (directory instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        directory.close();
        throw new IOException("this file system cannot open directories relative to each other");
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (NoSuchFileException e) {
            return; // the directory has been removed
        }
    }
}
