package dev.satchel.server.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspaceEntry;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.bag.WorkspaceCopies;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotRestorer;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.snapshot.SnapshotService.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills live workspaces, from snapshots and from the bag. What the rows of copies record is always
 * what the live workspace was given. The caller holds the lock of the workspace.
 */
final class WorkspaceContents {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceContents.class);

    private final LiveWorkspaces live;
    private final SnapshotService snapshots;
    private final WorkspaceCopies copies;
    private final PendingSnapshots pending;
    private final SnapshotRestorer restorer;

    WorkspaceContents(LiveWorkspaces live, WorkspaceManager.Saved saved) {
        this.live = live;
        this.pending = saved.pending();
        this.snapshots = saved.snapshots();
        this.copies = saved.copies();
        this.restorer = new SnapshotRestorer(snapshots);
    }

    /** Whether a workspace of the conversation has nothing to be given. */
    boolean areEmpty(ConversationId conversation) {
        return snapshots.newest(conversation).isEmpty()
                && !copies.hasAny(conversation)
                && copies.compare(conversation).isEmpty();
    }

    /**
     * Restores the newest snapshot if there is no live workspace; refused if there are newer files
     * elsewhere. Returns whether the workspace is now older than a generation.
     */
    boolean restoreIfAbsent(ConversationId conversation, long generation) throws IOException {
        finishRestore(conversation);
        if (!live.isMissing(conversation)) {
            return false;
        }
        pending.requireAvailable(conversation);
        Optional<Snapshot> newest = snapshots.newest(conversation);
        if (newest.isEmpty()) {
            copies.forgetAll(conversation);
            return true;
        }
        copies.forgetAfter(conversation, newest.get().generation());
        restore(newest.get(), conversation);
        LOG.info("workspace restored chatId={}", conversation.value());
        return newest.get().generation() < generation;
    }

    /**
     * Brings the live workspace to the snapshot that was restored, if that is not done yet. What
     * was live is in a snapshot; so where it cannot be brought there, as on a full disk, it is
     * removed, and the next use restores the whole snapshot.
     */
    void finishRestore(ConversationId conversation) throws IOException {
        Optional<Snapshot> restored = snapshots.unfinishedRestore(conversation);
        if (restored.isEmpty()) {
            return;
        }
        Optional<SafeDirectory> found = live.find(conversation);
        if (found.isEmpty() && !live.isMissing(conversation)) {
            return; // the server that has it does this
        }
        if (found.isPresent()) {
            try (SafeDirectory directory = found.get()) {
                update(directory, restored.get());
            }
        }
        snapshots.endRestore(conversation);
    }

    private void update(SafeDirectory directory, Snapshot restored) throws IOException {
        ConversationId conversation = restored.conversation();
        snapshots.willChange(conversation);
        if (!live.areOnThisDisk()) {
            live.erase(conversation); // one request for each entry would take longer
            return;
        }
        try {
            snapshots.update(directory, restored);
            live.touch(conversation);
        } catch (IOException e) {
            LOG.warn("restoring a whole workspace instead chatId={}", conversation.value(), e);
            live.erase(conversation);
        }
    }

    void restore(Snapshot snapshot, ConversationId to) throws IOException {
        snapshots.willChange(to);
        live.install(to, directory -> restorer.into(directory, snapshot));
    }

    /**
     * Whether there is a live workspace. A runner that does not answer has none of a conversation
     * without files: the dispatch of the run tells what is wrong with it.
     */
    boolean areLive(ConversationId id) throws IOException {
        try {
            return !live.isMissing(id);
        } catch (IOException e) {
            if (!areEmpty(id)) {
                throw e;
            }
            return false;
        }
    }

    /**
     * What people or a run that was cut off did since the last snapshot stays findable when a run
     * begins. If it is pending because snapshots cannot be stored, the run begins without one.
     */
    void keepBefore(Origin before, @Nullable MessageId question) throws IOException {
        ConversationId id = before.conversation();
        Optional<SafeDirectory> directory =
                snapshots.hasAll(id, before.generation()) ? Optional.empty() : live.find(id);
        if (directory.isEmpty()) {
            return;
        }
        boolean isPending = pending.isPending(id);
        try (SafeDirectory open = directory.get()) {
            snapshots.takeBefore(before, question, open);
            snapshots.prune(id);
        } catch (IOException e) {
            if (!isPending) {
                throw e;
            }
            LOG.debug("a run begins without a snapshot of before chatId={}", id.value(), e);
        }
    }

    /** Copies new files of the bag into the workspace; returns those with another name. */
    List<WorkspaceCopies.Renamed> updateCopies(ConversationId id, long generation)
            throws IOException {
        WorkspaceCopies.Difference difference = copies.compare(id);
        if (difference.isEmpty()) {
            copies.remember(difference);
            return List.of();
        }
        snapshots.willChange(id);
        if (!live.isMissing(id)) {
            try (SafeDirectory directory = live.open(id).orElseThrow(SessionErrors::noWorkspace)) {
                return copies.apply(difference, directory, generation);
            }
        }
        List<WorkspaceCopies.Renamed> renamed = new ArrayList<>();
        live.install(
                id,
                created -> {
                    try (SafeDirectory directory = SafeDirectory.open(created)) {
                        renamed.addAll(copies.apply(difference, directory, generation));
                    }
                });
        return renamed;
    }

    /** A snapshot of the bag, for a runner of another vendor that offers no workspaces. */
    void saveBag(Origin origin) throws IOException {
        copies.forgetAll(origin.conversation());
        WorkspaceCopies.Difference bag = copies.compare(origin.conversation());
        if (bag.isEmpty()) {
            return;
        }
        Path folder = Files.createTempDirectory("satchel-bag-");
        try (SafeDirectory directory = SafeDirectory.open(folder)) {
            try {
                copies.export(bag, directory);
                Optional<Snapshot> _ = snapshots.take(origin, directory);
                snapshots.prune(origin.conversation());
            } finally {
                for (WorkspaceEntry entry : directory.list(WorkspacePath.ROOT)) {
                    directory.deleteTree(entry.path());
                }
            }
        } finally {
            Files.delete(folder);
        }
    }
}
