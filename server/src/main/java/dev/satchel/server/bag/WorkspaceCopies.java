package dev.satchel.server.bag;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.file.FileId;
import dev.satchel.server.objectstore.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Copies bag files into workspaces, each once: from then on the copy belongs to the agent. The
 * caller excludes runs and other changes of the workspace.
 */
public final class WorkspaceCopies {
    /** The generation of a workspace that was given no file. */
    public static final long NOTHING_COPIED = WorkspaceCopyStore.NO_GENERATION;

    /** How many files a run is told of at most, beside the attached ones. */
    private static final int MAX_LISTED = 100;

    /** A bag that changed less often has few files, and comparing them costs less than a write. */
    private static final long REMEMBERED_CHANGES = 100;

    private final Database database;
    private final BagStore bags;
    private final WorkspaceCopyStore store;
    private final ObjectStore objects;

    public WorkspaceCopies(
            Database database, BagStore bags, WorkspaceCopyStore store, ObjectStore objects) {
        this.database = database;
        this.bags = bags;
        this.store = store;
        this.objects = objects;
    }

    /**
     * How the workspace differs from the bag.
     *
     * @param missing files without a copy
     * @param outdated copies of deleted files, to be removed if they are unchanged
     * @param former all copies of files that the bag no longer has; empty if none is missing
     * @param changes how often the bag had changed then; absent if that was known to be compared,
     *     or if other paths of the thread have files that are not copied
     */
    public record Difference(
            ConversationId conversation,
            List<BagFile> missing,
            List<WorkspaceCopy> outdated,
            List<WorkspaceCopy> former,
            OptionalLong changes) {
        public Difference {
            missing = List.copyOf(missing);
            outdated = List.copyOf(outdated);
            former = List.copyOf(former);
        }

        public boolean isEmpty() {
            return missing.isEmpty() && outdated.isEmpty();
        }

        /** The hashes of unchanged copies of earlier files at the path of this one. */
        Set<String> replaceable(BagFile file) {
            return former.stream()
                    .filter(copy -> copy.path().equals(file.workspacePath()))
                    .map(WorkspaceCopy::sha256)
                    .collect(Collectors.toSet());
        }
    }

    /**
     * A workspace before a run.
     *
     * @param renamed the files whose copy has another name
     * @param isOlder whether it lacks what earlier attempts of the run have changed
     */
    public record Prepared(List<Renamed> renamed, boolean isOlder) {
        public Prepared {
            renamed = List.copyOf(renamed);
        }

        public static Prepared empty(boolean isOlder) {
            return new Prepared(List.of(), isOlder);
        }
    }

    /** A file whose copy has another path than its name, because that was taken. */
    public record Renamed(String name, String path) {}

    /**
     * A bag file as a run receives it.
     *
     * @param path of its copy in the workspace; null if there is none
     */
    public record DispatchedFile(
            FileId id,
            String name,
            long size,
            String sha256,
            String mimeType,
            @Nullable String path) {}

    /**
     * The files of which a run is told.
     *
     * @param inWorkspace whether the server has copied them
     * @param more whether the workspace has copies of other files too
     */
    public record DispatchedFiles(List<DispatchedFile> files, boolean inWorkspace, boolean more) {
        public DispatchedFiles {
            files = List.copyOf(files);
        }
    }

    /** What became of the copy of a deleted file. */
    public enum Removal {
        /** There is none, or it was removed. */
        GONE,
        /** It was changed since it was made, so it stays. */
        CHANGED,
        /** It is removed before the next run, if it is unchanged then. */
        PENDING
    }

    /** Compares rows only, and none if the bag has not changed since the last time. */
    public Difference compare(ConversationId conversation) {
        return database.read(
                tx -> {
                    if (store.isUpToDate(tx, conversation)) {
                        return new Difference(
                                conversation,
                                List.of(),
                                List.of(),
                                List.of(),
                                OptionalLong.empty());
                    }
                    OptionalLong changes = OptionalLong.of(store.changes(tx, conversation));
                    List<BagFile> missing = bags.paths().withoutCopy(tx, conversation);
                    Set<FileId> elsewhere =
                            missing.isEmpty() ? Set.of() : bags.paths().elsewhere(tx, conversation);
                    if (!elsewhere.isEmpty()) { // another path may miss them
                        changes = OptionalLong.empty();
                        missing =
                                missing.stream()
                                        .filter(file -> !elsewhere.contains(file.id()))
                                        .toList();
                    }
                    return new Difference(
                            conversation,
                            missing,
                            store.outdated(tx, conversation),
                            missing.isEmpty() ? List.of() : store.former(tx, conversation),
                            changes);
                });
    }

    /** Remembers that a large bag and its workspace were found to be the same. */
    public void remember(Difference none) {
        if (none.changes().orElse(0) >= REMEMBERED_CHANGES) {
            database.change(
                    tx -> store.setUpToDate(tx, none.conversation(), none.changes().getAsLong()));
        }
    }

    /**
     * Makes the missing copies and removes the outdated ones that are unchanged. If it is
     * interrupted, the next call finds the copies that were made and keeps them.
     */
    public List<Renamed> apply(Difference difference, SafeDirectory workspace, long generation)
            throws IOException {
        WorkspaceCopyWriter writer = new WorkspaceCopyWriter(workspace, objects);
        writer.removeLeftovers();
        for (WorkspaceCopy copy : difference.outdated()) {
            boolean _ = writer.remove(copy);
        }
        List<WorkspaceCopy> made = new ArrayList<>();
        List<Renamed> renamed = new ArrayList<>();
        for (BagFile file : difference.missing()) {
            String path = writer.add(file, difference.replaceable(file)).value();
            made.add(new WorkspaceCopy(file.id(), path, file.sha256(), generation));
            if (!path.equals(file.workspacePath())) {
                renamed.add(new Renamed(file.name(), path));
            }
        }
        ConversationId conversation = difference.conversation();
        database.change(
                tx -> {
                    difference
                            .outdated()
                            .forEach(it -> store.settle(tx, conversation, it.file(), generation));
                    store.record(tx, conversation, made);
                    difference
                            .changes()
                            .ifPresent(changes -> store.setUpToDate(tx, conversation, changes));
                });
        return renamed;
    }

    /** Writes the missing files into an empty directory that is not a workspace. */
    public void export(Difference difference, SafeDirectory directory) throws IOException {
        WorkspaceCopyWriter writer = new WorkspaceCopyWriter(directory, objects);
        for (BagFile file : difference.missing()) {
            WorkspacePath _ = writer.add(file, Set.of());
        }
    }

    /** Removes the copy of a deleted file, unless it was changed. */
    public Removal remove(
            WorkspaceCopy copy,
            ConversationId conversation,
            SafeDirectory workspace,
            long generation)
            throws IOException {
        boolean gone = new WorkspaceCopyWriter(workspace, objects).remove(copy);
        database.change(tx -> store.settle(tx, conversation, copy.file(), generation));
        return gone ? Removal.GONE : Removal.CHANGED;
    }

    /** The copy of a file, unless it was removed. */
    public Optional<WorkspaceCopy> find(ConversationId conversation, FileId file) {
        return database.read(tx -> store.find(tx, conversation, file));
    }

    /**
     * The files that a run of this generation is told of. In a workspace that the server reaches
     * these are the oldest files with a copy and those that are attached to the message: the run
     * finds the others there. Without copies these are all files, for the runner to fetch. What
     * only other paths of the thread have is not among them.
     */
    public DispatchedFiles dispatched(
            ConversationId conversation, long generation, Collection<FileId> attached) {
        return database.read(
                tx -> {
                    List<DispatchedFile> copied =
                            store.copied(tx, conversation, generation, MAX_LISTED + 1);
                    if (copied.isEmpty()) {
                        List<DispatchedFile> all = store.dispatched(tx, conversation, generation);
                        return new DispatchedFiles(ofPath(tx, conversation, all), false, false);
                    }
                    boolean more = copied.size() > MAX_LISTED;
                    List<DispatchedFile> listed =
                            ofPath(tx, conversation, more ? copied.subList(0, MAX_LISTED) : copied);
                    if (more) {
                        Set<FileId> others = new LinkedHashSet<>(attached);
                        listed.forEach(file -> others.remove(file.id()));
                        for (FileId file : others) {
                            listed.addAll(store.copied(tx, conversation, generation, file));
                        }
                    }
                    return new DispatchedFiles(listed, true, more);
                });
    }

    private List<DispatchedFile> ofPath(
            Transaction tx, ConversationId conversation, List<DispatchedFile> files) {
        List<DispatchedFile> ofPath = new ArrayList<>(files);
        if (!files.isEmpty()) {
            Set<FileId> elsewhere = bags.paths().elsewhere(tx, conversation);
            ofPath.removeIf(file -> elsewhere.contains(file.id()));
        }
        return ofPath;
    }

    /** The paths of the copies, by the file. */
    public Map<FileId, String> paths(ConversationId conversation) {
        Map<FileId, String> paths = new HashMap<>();
        for (WorkspaceCopy copy : database.read(tx -> store.list(tx, conversation))) {
            paths.put(copy.file(), copy.path());
        }
        return paths;
    }

    /**
     * Records the copies of a workspace for a conversation that gets the same files.
     *
     * @param generation of the snapshot from which it gets them
     * @param files the files of its bag by the ids of those of which they are copies
     */
    public void copy(
            ConversationId from, long generation, Conversation to, Map<FileId, FileId> files) {
        database.change(
                tx ->
                        store.record(
                                tx,
                                to.id(),
                                store.list(tx, from).stream()
                                        .filter(copy -> copy.generation() <= generation)
                                        .map(copy -> copyOf(copy, to, files))
                                        .toList()));
    }

    /** The copy of a deleted file keeps its id, so that it is removed from both workspaces. */
    private static WorkspaceCopy copyOf(
            WorkspaceCopy copy, Conversation to, Map<FileId, FileId> files) {
        return new WorkspaceCopy(
                files.getOrDefault(copy.file(), copy.file()),
                copy.path(),
                copy.sha256(),
                to.generation());
    }

    /** To be called before a workspace is restored as it was at the end of a turn. */
    public void forgetAfter(ConversationId conversation, long generation) {
        if (database.read(tx -> store.hasAfter(tx, conversation, generation))) {
            database.change(tx -> store.forgetAfter(tx, conversation, generation));
        }
    }

    /** To be called when the workspace gets the files of an earlier turn. */
    public void restored(Transaction tx, ConversationId conversation, long generation) {
        store.forgetAfter(tx, conversation, generation);
    }

    /** Whether the workspace was given any file. */
    public boolean hasAny(ConversationId conversation) {
        return database.read(
                tx -> store.hasAfter(tx, conversation, WorkspaceCopyStore.NO_GENERATION));
    }

    /** To be called when the workspace is out of reach, or new and empty. */
    public void forgetAll(ConversationId conversation) {
        forgetAfter(conversation, WorkspaceCopyStore.NO_GENERATION);
    }
}
