package dev.satchel.runner.run;

import dev.satchel.filesystem.FileStat;
import dev.satchel.filesystem.OpenFile;
import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.UnsafePathException;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.filesystem.WorkspaceWalk;
import dev.satchel.protocol.NotHandedOver;
import dev.satchel.protocol.RunConfig;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects the files in {@code assets/} that a run uploads: those that are new or changed since the
 * run began, and those that no earlier run handed in. A link counts as the regular file that it
 * leads to, if that is inside the workspace.
 */
final class OutputFiles {
    static final WorkspacePath FOLDER = new WorkspacePath("assets");

    /** The permission bits with which the owner lists a folder. */
    private static final int LISTABLE = 0500;

    private static final Comparator<Output> BY_SIZE =
            Comparator.comparingLong(Output::size).thenComparing(output -> output.path().value());

    /** The limits of one write-back. */
    record Limits(int files, long fileBytes, long totalBytes) {
        /** For a server that tells no limits: those of the first version of the protocol. */
        static final Limits DEFAULT = new Limits(20, 25_000_000, 50_000_000);

        static Limits of(RunConfig config) {
            RunConfig.Limits given = config.limits();
            return given == null
                    ? DEFAULT
                    : new Limits(
                            given.maxOutputFiles(), given.maxFileBytes(), given.maxOutputBytes());
        }
    }

    /** A file to upload; {@code named} when its absence was reported by an earlier run. */
    record Output(WorkspacePath path, long size, boolean named) {
        /** The path in {@code assets/}. */
        String name() {
            return path.equals(FOLDER)
                    ? path.value()
                    : path.value().substring(FOLDER.value().length() + 1);
        }

        NotHandedOver leftOut(String reason) {
            return new NotHandedOver(path.value(), size, reason);
        }
    }

    /** The files to upload, smallest first, and those that cannot be uploaded. */
    record Selection(List<Output> files, List<NotHandedOver> leftOut) {
        Selection {
            files = List.copyOf(files);
            leftOut = List.copyOf(leftOut);
        }
    }

    /** What an entry leads to: a regular file, or the reason why it is none. */
    private record Target(FileStat stat, @Nullable String problem) {}

    private final SafeDirectory workspace;
    private final Limits limits;
    private final KnownOutputs known;
    private final Map<WorkspacePath, FileStat> before = new HashMap<>();

    /** Records the present files. */
    OutputFiles(SafeDirectory workspace, Limits limits, KnownOutputs known) throws IOException {
        this.workspace = workspace;
        this.limits = limits;
        this.known = known;
        forEachFile(entry -> before.put(entry.path(), target(entry).stat()));
    }

    /** Prefers small files, so that as many as possible are uploaded. */
    Selection select() throws IOException {
        List<Output> candidates = new ArrayList<>();
        List<NotHandedOver> leftOut = new ArrayList<>();
        forEachFile(
                entry -> {
                    Target target = target(entry);
                    boolean unchanged = target.stat().equals(before.get(entry.path()));
                    if (unchanged && known.isHandedIn(workspace, entry.path(), target.stat())) {
                        return;
                    }
                    boolean named = unchanged && known.isNamed(entry.path(), target.stat());
                    Output output = new Output(entry.path(), target.stat().size(), named);
                    String problem = problem(target, output);
                    if (problem == null) {
                        candidates.add(output);
                    } else if (!named) {
                        leftOut.add(output.leftOut(problem));
                    }
                });
        return new Selection(fitting(candidates, leftOut), leftOut);
    }

    private @Nullable String problem(Target target, Output output) {
        if (target.problem() != null) {
            return target.problem();
        }
        if (!HeaderFilenames.isAcceptedPath(output.name())) {
            return "the server does not accept this file name";
        }
        return output.size() > limits.fileBytes()
                ? "the file is larger than the limit of " + limits.fileBytes() + " bytes"
                : null;
    }

    private List<Output> fitting(List<Output> candidates, List<NotHandedOver> leftOut) {
        candidates.sort(BY_SIZE);
        List<Output> fitting = new ArrayList<>();
        long total = 0;
        for (Output output : candidates) {
            boolean tooMany = fitting.size() >= limits.files();
            if (!tooMany && total + output.size() <= limits.totalBytes()) {
                total += output.size();
                fitting.add(output);
            } else if (!output.named()) {
                leftOut.add(
                        output.leftOut(
                                tooMany
                                        ? "a run may hand in " + limits.files() + " files"
                                        : "the files together have more than "
                                                + limits.totalBytes()
                                                + " bytes"));
            }
        }
        return fitting;
    }

    @FunctionalInterface
    private interface Action {
        void accept(WorkspaceEntry entry) throws IOException;
    }

    private void forEachFile(Action action) throws IOException {
        try {
            WorkspaceWalk walk = workspace.walk(FOLDER);
            for (WorkspaceEntry entry = walk.next(); entry != null; entry = walk.next()) {
                if (!entry.stat().isDirectory() || !isReadable(entry)) {
                    action.accept(entry);
                }
            }
        } catch (NoSuchFileException e) {
            return; // the run made no such folder
        } catch (NotDirectoryException | AccessDeniedException | UnsafePathException e) {
            action.accept(new WorkspaceEntry(FOLDER, workspace.stat(FOLDER)));
        }
    }

    /** The walk passes over a folder that cannot be listed. */
    private boolean isReadable(WorkspaceEntry folder) throws IOException {
        if ((folder.stat().mode() & LISTABLE) == LISTABLE) {
            return true;
        }
        try {
            workspace.list(folder.path());
            return true;
        } catch (AccessDeniedException e) {
            return false;
        } catch (NoSuchFileException | NotDirectoryException | UnsafePathException e) {
            return true; // replaced meanwhile
        }
    }

    /** The kernel resolves a link beneath the workspace, so none leads out. */
    private Target target(WorkspaceEntry entry) {
        FileStat own = entry.stat();
        if (entry.path().equals(FOLDER) && !own.isDirectory()) {
            return new Target(own, "this is not a folder");
        }
        return switch (own.kind()) {
            case FILE -> new Target(own, null);
            case LINK -> {
                try (OpenFile file = workspace.open(entry.path())) {
                    yield new Target(file.stat(), null);
                } catch (IOException e) {
                    yield new Target(own, "the link leads to no regular file in the workspace");
                }
            }
            case DIRECTORY -> new Target(own, "the folder cannot be read");
            case OTHER -> new Target(own, "this is not a regular file");
        };
    }
}
