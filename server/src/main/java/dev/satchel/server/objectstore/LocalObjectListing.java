package dev.satchel.server.objectstore;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The objects below a directory, read one directory at a time while the stream is consumed. No link
 * is followed.
 */
final class LocalObjectListing implements Iterator<ListedObject> {
    private final WorkspaceWalk walk;
    private @Nullable ListedObject next;
    private boolean atEnd;

    private LocalObjectListing(WorkspaceWalk walk) {
        this.walk = walk;
    }

    /** The caller closes the stream. */
    static Stream<ListedObject> objects(Path root, List<String> names) throws IOException {
        SafeDirectory directory = SafeDirectory.open(root);
        WorkspacePath start =
                names.isEmpty() ? WorkspacePath.ROOT : new WorkspacePath(String.join("/", names));
        Iterator<ListedObject> listing = new LocalObjectListing(directory.walk(start));
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(listing, Spliterator.NONNULL), false)
                .onClose(directory::close);
    }

    @Override
    public boolean hasNext() {
        while (next == null && !atEnd) {
            WorkspaceEntry entry = nextEntry();
            if (entry == null) {
                atEnd = true;
            } else if (entry.stat().isFile()) {
                next = object(entry).orElse(null); // other programs may have created it
            }
        }
        return next != null;
    }

    @Override
    public ListedObject next() {
        ListedObject found = hasNext() ? next : null;
        if (found == null) {
            throw new NoSuchElementException();
        }
        next = null;
        return found;
    }

    private @Nullable WorkspaceEntry nextEntry() {
        try {
            return walk.next();
        } catch (NoSuchFileException | NotDirectoryException | UnsafePathException e) {
            return null; // there is no such directory
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<ListedObject> object(WorkspaceEntry entry) {
        List<String> names = Arrays.asList(entry.path().value().split("/", -1));
        int last = names.size() - 1;
        return new ObjectPath(names.subList(0, last), names.get(last))
                .key()
                .map(key -> new ListedObject(key, entry.stat().size(), entry.stat().modified()));
    }
}
