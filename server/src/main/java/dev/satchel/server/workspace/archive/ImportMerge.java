package dev.satchel.server.workspace.archive;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.IrregularFileException;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Moves an unpacked bundle over a workspace. Every place is checked before the first file is moved,
 * and a move within a disk writes no content, so a bundle is refused without a trace.
 */
final class ImportMerge {
    private final SafeDirectory workspace;
    private final List<Move> moves = new ArrayList<>();

    ImportMerge(SafeDirectory workspace) {
        this.workspace = workspace;
    }

    private record Move(WorkspacePath from, WorkspacePath to) {}

    /** Refuses a file in the place of a directory, and the reverse. */
    void run(WorkspacePath unpacked) throws IOException {
        plan(unpacked, WorkspacePath.ROOT);
        for (Move move : moves) {
            workspace.rename(move.from(), move.to());
        }
    }

    private void plan(WorkspacePath from, WorkspacePath to) throws IOException {
        for (WorkspaceEntry entry : workspace.list(from)) {
            WorkspacePath target = to.resolve(entry.path().name());
            Optional<FileStat> existing = stat(target);
            if (existing.isPresent() && entry.stat().isDirectory()) {
                requireDirectory(target, existing.get());
                plan(entry.path(), target);
                continue;
            }
            if (existing.isPresent() && existing.get().isDirectory()) {
                throw new IrregularFileException(target, FileStat.Kind.DIRECTORY);
            }
            moves.add(new Move(entry.path(), target));
        }
    }

    private Optional<FileStat> stat(WorkspacePath path) throws IOException {
        try {
            return Optional.of(workspace.stat(path));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Or a link to one inside. */
    private void requireDirectory(WorkspacePath path, FileStat stat) throws IOException {
        if (stat.isDirectory()) {
            return;
        }
        try (OpenFile _ = workspace.open(path)) {
            throw new NotDirectoryException(path.value());
        } catch (IrregularFileException e) {
            if (e.kind() != FileStat.Kind.DIRECTORY) {
                throw e;
            }
        }
    }
}
