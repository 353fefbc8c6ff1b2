package dev.satchel.server.objectstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/** Lists the objects below a directory, one directory at a time. */
final class LocalObjectListing {
    private final ObjectDirectories tree;

    LocalObjectListing(ObjectDirectories tree) {
        this.tree = tree;
    }

    Stream<ListedObject> objects(List<String> names) {
        return entries(names).stream()
                .flatMap(
                        entry ->
                                entry.attributes().isDirectory()
                                        ? objects(ObjectDirectories.child(names, entry.name()))
                                        : object(names, entry));
    }

    private List<ObjectDirectories.Entry> entries(List<String> names) {
        try {
            return tree.entries(names);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<ListedObject> object(List<String> names, ObjectDirectories.Entry entry) {
        if (!entry.attributes().isRegularFile()) {
            return Stream.empty();
        }
        return new ObjectPath(names, entry.name())
                .key().stream()
                        .map(
                                key ->
                                        new ListedObject(
                                                key,
                                                entry.attributes().size(),
                                                entry.attributes().lastModifiedTime().toInstant()));
    }
}
