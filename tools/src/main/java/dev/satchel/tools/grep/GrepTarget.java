package dev.satchel.tools.grep;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.ReadableDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.tools.InvalidArgumentException;
import dev.satchel.tools.PathArgument;
import dev.satchel.tools.TextFile;
import dev.satchel.tools.document.DocumentTextReader;
import dev.satchel.tools.document.SearchedDocuments;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** An existing file or directory that is searched. */
record GrepTarget(PathArgument path, Kind kind) {
    enum Kind {
        TEXT,
        BINARY,
        /** Searched by its parts. */
        DOCUMENT,
        DIRECTORY
    }

    /** Leaves out paths that do not exist or lead out; refuses when none is left. */
    static List<GrepTarget> resolve(
            List<PathArgument> paths, ReadableDirectory files, DocumentTextReader documents)
            throws IOException, InvalidArgumentException {
        List<GrepTarget> targets = new ArrayList<>();
        for (PathArgument path : new LinkedHashSet<>(paths)) {
            try (OpenFile file = path.in(files).open(path.path())) {
                targets.add(new GrepTarget(path, kind(path, file, documents)));
            } catch (IrregularFileException e) {
                if (e.kind() == FileStat.Kind.DIRECTORY) {
                    targets.add(new GrepTarget(path, Kind.DIRECTORY));
                }
            } catch (FileSystemException _) {
                // a path that leads out is treated like one that does not exist
            }
        }
        if (targets.isEmpty()) {
            throw paths.getFirst().missing();
        }
        return targets;
    }

    private static Kind kind(PathArgument path, OpenFile file, DocumentTextReader documents)
            throws IOException {
        boolean isDocument =
                documents.unavailable().isEmpty()
                        && SearchedDocuments.find(path.path().name(), file, documents).isPresent();
        if (isDocument) {
            return Kind.DOCUMENT;
        }
        return TextFile.of(file).isText() ? Kind.TEXT : Kind.BINARY;
    }

    boolean isDirectory() {
        return kind == Kind.DIRECTORY;
    }

    boolean contains(WorkspacePath found) {
        WorkspacePath own = path.path();
        return own.isRoot()
                || own.equals(found)
                || (isDirectory() && found.value().startsWith(own.value() + "/"));
    }

    /** A path in this directory, relative to it. */
    String relative(WorkspacePath found) {
        return path.path().isRoot()
                ? found.value()
                : found.value().substring(path.path().value().length() + 1);
    }
}
