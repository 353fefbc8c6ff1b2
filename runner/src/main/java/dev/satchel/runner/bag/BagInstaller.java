package dev.satchel.runner.bag;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.TemporaryNames;
import dev.satchel.filesystem.WorkspacePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** Moves unpacked files to their places; when one move fails, it undoes all. */
final class BagInstaller {
    private static final int COMPARE_BYTES = 64 * 1024;

    /** Directories that a run needs, so no file can have these names. */
    private static final Set<String> RESERVED = Set.of("assets", "staged");

    private final SafeDirectory workspace;
    private final WorkspacePath unpacked;
    private final WorkspacePath replaced;
    private final Deque<Move> moves = new ArrayDeque<>();
    private final Deque<WorkspacePath> created = new ArrayDeque<>();

    private record Move(WorkspacePath from, WorkspacePath to) {}

    BagInstaller(SafeDirectory workspace, WorkspacePath scratch) {
        this.workspace = workspace;
        this.unpacked = scratch.resolve("new");
        this.replaced = scratch.resolve("old");
    }

    /** The path of an unpacked file before it is installed. */
    WorkspacePath unpacked(WorkspacePath path) {
        return unpacked.resolve(path.value());
    }

    /** Returns the files that were skipped because their names are not available. */
    List<WorkspacePath> install(List<WorkspacePath> files) throws IOException {
        List<WorkspacePath> skipped = new ArrayList<>();
        boolean isComplete = false;
        try {
            for (WorkspacePath file : files) {
                if (isReserved(file) || isDirectory(file)) {
                    skipped.add(file);
                    continue;
                }
                createParents(file);
                if (moveExisting(file)) {
                    move(unpacked(file), file);
                }
            }
            isComplete = true;
            return skipped;
        } catch (NotDirectoryException e) {
            throw new BagRefusedException(
                    "the workspace has a file where the bag has a directory: " + e.getFile());
        } finally {
            if (!isComplete) {
                undo();
            }
        }
    }

    private static boolean isReserved(WorkspacePath file) {
        return RESERVED.contains(file.value()) || file.value().startsWith(TemporaryNames.PREFIX);
    }

    private boolean isDirectory(WorkspacePath file) throws IOException {
        try {
            return workspace.stat(file).isDirectory();
        } catch (NoSuchFileException | NotDirectoryException _) {
            return false;
        }
    }

    private void createParents(WorkspacePath file) throws IOException {
        WorkspacePath parent = WorkspacePath.ROOT;
        for (String name : file.parent().names()) {
            parent = parent.resolve(name);
            try {
                workspace.stat(parent);
            } catch (NoSuchFileException _) {
                workspace.createDirectories(parent);
                created.push(parent);
            }
        }
    }

    /** Moves an existing file away; returns false when it has the same content. */
    private boolean moveExisting(WorkspacePath file) throws IOException {
        FileStat existing;
        try {
            existing = workspace.stat(file);
        } catch (NoSuchFileException _) {
            return true;
        }
        if (existing.isFile() && sameContent(file)) {
            return false;
        }
        move(file, replaced.resolve(file.value()));
        return true;
    }

    private void move(WorkspacePath from, WorkspacePath to) throws IOException {
        workspace.rename(from, to);
        moves.push(new Move(from, to));
    }

    private void undo() throws IOException {
        for (Move move : moves) {
            workspace.rename(move.to(), move.from());
        }
        for (WorkspacePath directory : created) {
            workspace.delete(directory);
        }
    }

    private boolean sameContent(WorkspacePath file) throws IOException {
        try (OpenFile existing = workspace.open(file);
                OpenFile incoming = workspace.open(unpacked(file))) {
            if (existing.stat().size() != incoming.stat().size()) {
                return false;
            }
            ByteBuffer one = ByteBuffer.allocate(COMPARE_BYTES);
            ByteBuffer other = ByteBuffer.allocate(COMPARE_BYTES);
            while (fill(one, existing)) {
                if (!fill(other, incoming) || !one.equals(other)) {
                    return false;
                }
            }
            return !fill(other, incoming);
        }
    }

    private static boolean fill(ByteBuffer buffer, OpenFile file) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining() && file.channel().read(buffer) >= 0) {}
        buffer.flip();
        return buffer.hasRemaining();
    }
}
