package dev.satchel.runner.run;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Selects the files in {@code assets/} that a run uploads. */
final class OutputFiles {
    static final WorkspacePath FOLDER = new WorkspacePath("assets");

    private static final Comparator<WorkspaceEntry> BY_SIZE =
            Comparator.<WorkspaceEntry>comparingLong(entry -> entry.stat().size())
                    .thenComparing(entry -> entry.path().value());

    private static final int MAX_INVALID_NAMES = 10;

    /** The limits of one write-back. */
    record Limits(int files, long fileBytes, long totalBytes) {
        static final Limits DEFAULT = new Limits(20, 25_000_000, 50_000_000);
    }

    /**
     * The files to upload, smallest first; the number of files beyond the limits; and the first few
     * files with names that the server refuses.
     */
    record Selection(List<WorkspaceEntry> files, int omitted, List<WorkspacePath> invalidNames) {
        Selection {
            files = List.copyOf(files);
            invalidNames = List.copyOf(invalidNames);
        }
    }

    private final SafeDirectory workspace;
    private final Limits limits;
    private final Map<WorkspacePath, FileStat> before = new HashMap<>();

    /** Records the present files: only new and changed ones are selected later. */
    OutputFiles(SafeDirectory workspace, Limits limits) throws IOException {
        this.workspace = workspace;
        this.limits = limits;
        forEachFile(entry -> before.put(entry.path(), entry.stat()));
    }

    /** Selects regular files; when there are too many, omits the largest. */
    Selection select() throws IOException {
        PriorityQueue<WorkspaceEntry> smallest = new PriorityQueue<>(BY_SIZE.reversed());
        List<WorkspacePath> invalidNames = new ArrayList<>();
        AtomicInteger found = new AtomicInteger();
        forEachFile(
                entry -> {
                    if (entry.stat().equals(before.get(entry.path()))) {
                        return;
                    }
                    if (!HeaderFilenames.isAccepted(entry.path().name())) {
                        invalidNames.add(entry.path());
                        return;
                    }
                    found.incrementAndGet();
                    smallest.add(entry);
                    if (smallest.size() > limits.files()) {
                        smallest.poll();
                    }
                });
        List<WorkspaceEntry> fitting = fitting(smallest);
        return new Selection(
                fitting,
                found.get() - fitting.size(),
                invalidNames.subList(0, Math.min(invalidNames.size(), MAX_INVALID_NAMES)));
    }

    private void forEachFile(Consumer<WorkspaceEntry> action) throws IOException {
        try {
            WorkspaceWalk walk = workspace.walk(FOLDER);
            for (WorkspaceEntry entry = walk.next(); entry != null; entry = walk.next()) {
                if (entry.stat().isFile()) {
                    action.accept(entry);
                }
            }
        } catch (NoSuchFileException
                | NotDirectoryException
                | AccessDeniedException
                | UnsafePathException e) {
            // there is no directory that can be read
        }
    }

    private List<WorkspaceEntry> fitting(PriorityQueue<WorkspaceEntry> candidates) {
        List<WorkspaceEntry> fitting = new ArrayList<>();
        long total = 0;
        for (WorkspaceEntry entry : candidates.stream().sorted(BY_SIZE).toList()) {
            total += entry.stat().size();
            if (entry.stat().size() > limits.fileBytes() || total > limits.totalBytes()) {
                break; // all that follow are at least as large
            }
            fitting.add(entry);
        }
        return fitting;
    }
}
