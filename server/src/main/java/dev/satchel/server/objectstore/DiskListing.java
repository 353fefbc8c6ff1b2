package dev.satchel.server.objectstore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/** Finds the objects beneath a directory, one directory at a time. */
final class DiskListing {
    private final DirectoryTree tree;

    DiskListing(DirectoryTree tree) {
        this.tree = tree;
    }

    Stream<ListedObject> objects(List<String> names) {
        return entries(names).stream()
                .flatMap(
                        entry ->
                                entry.attributes().isDirectory()
                                        ? objects(DirectoryTree.child(names, entry.name()))
                                        : object(names, entry));
    }

    private List<DirectoryTree.Entry> entries(List<String> names) {
        try {
            return tree.entries(names);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<ListedObject> object(List<String> names, DirectoryTree.Entry entry) {
        if (!entry.attributes().isRegularFile()) {
            return Stream.empty();
        }
        return new DiskPath(names, entry.name())
                .key().stream()
                        .map(
                                key ->
                                        new ListedObject(
                                                key,
                                                entry.attributes().size(),
                                                entry.attributes().lastModifiedTime().toInstant()));
    }
}
