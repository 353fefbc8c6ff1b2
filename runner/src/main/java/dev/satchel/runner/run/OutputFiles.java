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

/** Finds what a run has put into {@code assets/} to be handed in. */
final class OutputFiles {
    static final WorkspacePath FOLDER = new WorkspacePath("assets");

    private static final Comparator<WorkspaceEntry> BY_SIZE =
            Comparator.<WorkspaceEntry>comparingLong(entry -> entry.stat().size())
                    .thenComparing(entry -> entry.path().value());

    private static final int MAX_MISNAMED = 10;

    /** What may be handed in at once. */
    record Limits(int files, long fileBytes, long totalBytes) {
        static final Limits DEFAULT = new Limits(20, 25_000_000, 50_000_000);
    }

    /**
     * What goes out, smallest first, how many did not fit, and the first few whose names no server
     * takes.
     */
    record Picked(List<WorkspaceEntry> files, int leftOut, List<WorkspacePath> misnamed) {
        Picked {
            files = List.copyOf(files);
            misnamed = List.copyOf(misnamed);
        }
    }

    private final SafeDirectory workspace;
    private final Limits limits;
    private final Map<WorkspacePath, FileStat> before = new HashMap<>();

    /** Notes what is there now: what is new or other when the run is done is to be handed in. */
    OutputFiles(SafeDirectory workspace, Limits limits) throws IOException {
        this.workspace = workspace;
        this.limits = limits;
        forEachFile(entry -> before.put(entry.path(), entry.stat()));
    }

    /** Regular files only; when there are too many or too much, the biggest stay behind. */
    Picked collect() throws IOException {
        PriorityQueue<WorkspaceEntry> smallest = new PriorityQueue<>(BY_SIZE.reversed());
        List<WorkspacePath> misnamed = new ArrayList<>();
        AtomicInteger found = new AtomicInteger();
        forEachFile(
                entry -> {
                    if (entry.stat().equals(before.get(entry.path()))) {
                        return;
                    }
                    if (!HeaderFilenames.canBeHandedIn(entry.path().name())) {
                        misnamed.add(entry.path());
                        return;
                    }
                    found.incrementAndGet();
                    smallest.add(entry);
                    if (smallest.size() > limits.files()) {
                        smallest.poll();
                    }
                });
        List<WorkspaceEntry> fitting = fitting(smallest);
        return new Picked(
                fitting,
                found.get() - fitting.size(),
                misnamed.subList(0, Math.min(misnamed.size(), MAX_MISNAMED)));
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
            // nothing was put there, or something that is no folder for us to read
        }
    }

    private List<WorkspaceEntry> fitting(PriorityQueue<WorkspaceEntry> candidates) {
        List<WorkspaceEntry> fitting = new ArrayList<>();
        long total = 0;
        for (WorkspaceEntry entry : candidates.stream().sorted(BY_SIZE).toList()) {
            total += entry.stat().size();
            if (entry.stat().size() > limits.fileBytes() || total > limits.totalBytes()) {
                break; // all that follow are as big or bigger
            }
            fitting.add(entry);
        }
        return fitting;
    }
}
