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

/** Moves unpacked files into their places, and back again when one of them finds no place. */
final class BagInstaller {
    private static final int COMPARE_BYTES = 64 * 1024;

    /** Folders that a run needs; a file of that name would be in its way. */
    private static final Set<String> RESERVED = Set.of("assets", "staged");

    private final SafeDirectory workspace;
    private final WorkspacePath fresh;
    private final WorkspacePath old;
    private final Deque<Move> moves = new ArrayDeque<>();
    private final Deque<WorkspacePath> made = new ArrayDeque<>();

    private record Move(WorkspacePath from, WorkspacePath to) {}

    BagInstaller(SafeDirectory workspace, WorkspacePath scratch) {
        this.workspace = workspace;
        this.fresh = scratch.resolve("new");
        this.old = scratch.resolve("old");
    }

    /** Where a file lies before it is installed. */
    WorkspacePath fresh(WorkspacePath path) {
        return fresh.resolve(path.value());
    }

    /** Returns the files that have no place: one of them must not keep all others out for ever. */
    List<WorkspacePath> install(List<WorkspacePath> files) throws IOException {
        List<WorkspacePath> skipped = new ArrayList<>();
        boolean whole = false;
        try {
            for (WorkspacePath file : files) {
                if (isReserved(file) || isDirectory(file)) {
                    skipped.add(file);
                    continue;
                }
                makeParents(file);
                if (makeRoom(file)) {
                    move(fresh(file), file);
                }
            }
            whole = true;
            return skipped;
        } catch (NotDirectoryException e) {
            throw new BagRefusedException(
                    "a file lies where the bag has a directory: " + e.getFile());
        } finally {
            if (!whole) {
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

    private void makeParents(WorkspacePath file) throws IOException {
        WorkspacePath parent = WorkspacePath.ROOT;
        for (String name : file.parent().names()) {
            parent = parent.resolve(name);
            try {
                workspace.stat(parent);
            } catch (NoSuchFileException _) {
                workspace.createDirectories(parent);
                made.push(parent);
            }
        }
    }

    /** Puts what is there aside; false when the very same content is there already. */
    private boolean makeRoom(WorkspacePath file) throws IOException {
        FileStat there;
        try {
            there = workspace.stat(file);
        } catch (NoSuchFileException _) {
            return true;
        }
        if (there.isFile() && sameContent(file)) {
            return false;
        }
        move(file, old.resolve(file.value()));
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
        for (WorkspacePath directory : made) {
            workspace.delete(directory);
        }
    }

    private boolean sameContent(WorkspacePath file) throws IOException {
        try (OpenFile there = workspace.open(file);
                OpenFile coming = workspace.open(fresh(file))) {
            if (there.stat().size() != coming.stat().size()) {
                return false;
            }
            ByteBuffer one = ByteBuffer.allocate(COMPARE_BYTES);
            ByteBuffer other = ByteBuffer.allocate(COMPARE_BYTES);
            while (fill(one, there)) {
                if (!fill(other, coming) || !one.equals(other)) {
                    return false;
                }
            }
            return !fill(other, coming);
        }
    }

    private static boolean fill(ByteBuffer buffer, OpenFile file) throws IOException {
        buffer.clear();
        while (buffer.hasRemaining() && file.channel().read(buffer) >= 0) {}
        buffer.flip();
        return buffer.hasRemaining();
    }
}
