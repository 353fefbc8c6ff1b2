package dev.satchel.server.workspace.files;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.workspace.WorkspaceFile;
import dev.satchel.server.workspace.WorkspaceView;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The regular files of a workspace. A link to a file inside is listed as that file. */
public final class FileListing {
    private final WorkspaceView view;
    private final ListingFilter filter;

    public FileListing(WorkspaceView view, ListingFilter filter) {
        this.view = view;
        this.filter = filter;
    }

    /** Passes all files to the consumer. */
    void each(Consumer<ListedFile> files) throws IOException {
        view.visit(
                entry -> !filter.excludes(entry),
                entry ->
                        file(entry)
                                .map(stat -> ListedFile.of(entry.path(), stat))
                                .ifPresent(files));
    }

    /** At most {@code limit} files after the given path, or from the first file on. */
    public List<ListedFile> after(Optional<WorkspacePath> last, int limit) throws IOException {
        List<ListedFile> files = new ArrayList<>();
        view.walk(
                entry -> {
                    if (files.size() == limit || filter.excludes(entry)) {
                        return false;
                    }
                    boolean before = last.isPresent() && !comesAfter(entry.path(), last.get());
                    if (entry.stat().isDirectory()) {
                        return !before || isAbove(entry.path(), last.get());
                    }
                    if (!before) {
                        file(entry).ifPresent(stat -> files.add(ListedFile.of(entry.path(), stat)));
                    }
                    return false;
                });
        return files;
    }

    private Optional<FileStat> file(WorkspaceEntry entry) throws IOException {
        return switch (entry.stat().kind()) {
            case FILE -> Optional.of(entry.stat());
            case LINK -> followed(entry.path());
            case DIRECTORY, OTHER -> Optional.empty();
        };
    }

    private Optional<FileStat> followed(WorkspacePath link) throws IOException {
        try (WorkspaceFile target = view.open(link)) {
            return Optional.of(target.stat());
        } catch (FileSystemException e) {
            return Optional.empty(); // its target is missing, outside or a directory
        }
    }

    /** In the order of a walk: name by name, so {@code a/z} comes before {@code a.txt}. */
    private static boolean comesAfter(WorkspacePath path, WorkspacePath last) {
        List<String> names = path.names();
        List<String> others = last.names();
        for (int i = 0; i < Math.min(names.size(), others.size()); i++) {
            int order = WorkspacePath.compareNames(names.get(i), others.get(i));
            if (order != 0) {
                return order > 0;
            }
        }
        return names.size() > others.size();
    }

    private static boolean isAbove(WorkspacePath directory, WorkspacePath path) {
        return path.value().startsWith(directory.value() + "/");
    }
}
