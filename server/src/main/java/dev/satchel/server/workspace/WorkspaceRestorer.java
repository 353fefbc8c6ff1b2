package dev.satchel.server.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.filesystem.WorkspacePath;
import dev.satchel.server.bag.WorkspaceCopies;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.snapshot.Manifest;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.snapshot.SnapshotService.Origin;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives workspaces the files of earlier snapshots. What was live is kept as a snapshot first. One
 * transaction makes the restored files the newest snapshot and, with a live workspace, marks it as
 * unfinished; from then on the snapshot counts, and the live workspace is brought to it by what
 * differs. If the process is killed on the way, whoever uses the workspace next does the rest. Safe
 * for many threads.
 */
public final class WorkspaceRestorer {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceRestorer.class);

    private final Database database;
    private final ConversationStore conversations;
    private final LiveWorkspaces live;
    private final PeerWorkspaces peers;
    private final WorkspaceManager.Saved saved;
    private final SnapshotService snapshots;
    private final WorkspaceContents contents;
    private final WorkspaceManager manager;

    public WorkspaceRestorer(
            Database database,
            ConversationStore conversations,
            LiveWorkspaces live,
            PeerWorkspaces peers,
            WorkspaceManager.Saved saved,
            WorkspaceManager manager) {
        this.database = database;
        this.conversations = conversations;
        this.live = live;
        this.peers = peers;
        this.saved = saved;
        this.snapshots = saved.snapshots();
        this.contents = new WorkspaceContents(live, saved);
        this.manager = manager;
    }

    /**
     * A workspace that was given other files.
     *
     * @param result of what was changed in the same transaction
     * @param kept the snapshot that has the files of before: restoring it undoes this; empty if
     *     there were none
     * @param made the snapshot that is the newest now; empty if nothing had to change
     */
    public record Restored<T>(T result, Optional<Snapshot> kept, Optional<Snapshot> made) {}

    /**
     * Gives the workspace the files of a snapshot, and changes rows in the same transaction, after
     * the generation of the conversation was raised: the change may lock the conversation for a
     * run, which waits until the files are there. Fails while a run is active. What the change
     * throws leaves everything as it was.
     *
     * @param target empty for an empty workspace
     */
    public <T> Restored<T> switchTo(
            Conversation conversation, Optional<Snapshot> target, Function<Transaction, T> change)
            throws IOException, InterruptedException {
        try (WorkspaceLock.Handle _ = manager.requireNoRun(conversation.id())) {
            Origin origin = snapshots.current(WorkspaceManager.origin(conversation));
            Optional<Snapshot> kept = keep(origin);
            if (hasSameFiles(kept, target)) {
                return new Restored<>(
                        database.write(tx -> changeIfFree(tx, origin, change)),
                        kept,
                        Optional.empty());
            }
            Snapshot made =
                    snapshots.restored(origin.at(origin.generation() + 1), target, List.of());
            long copied = target.map(Snapshot::generation).orElse(WorkspaceCopies.NOTHING_COPIED);
            return restore(
                    origin,
                    kept,
                    made,
                    tx -> {
                        saved.copies().restored(tx, origin.conversation(), copied);
                        return change.apply(tx);
                    });
        }
    }

    /**
     * Brings the workspace here and makes sure that a snapshot has what is live: the one that is
     * returned. Empty if there are no files.
     */
    private Optional<Snapshot> keep(Origin origin) throws IOException, InterruptedException {
        ConversationId id = origin.conversation();
        peers.bringHere(origin);
        saved.pending().requireAvailable(id);
        contents.finishRestore(id);
        Optional<SafeDirectory> directory = live.find(id);
        if (directory.isEmpty()) {
            return snapshots.newest(id);
        }
        boolean unsaved = saved.pending().isPending(id);
        try (SafeDirectory open = directory.get()) {
            Optional<Snapshot> kept =
                    unsaved ? snapshots.take(origin, open) : snapshots.takeIfChanged(origin, open);
            manager.saved(id);
            return Optional.of(kept.orElseThrow(SessionErrors::runInProgress));
        }
    }

    private static boolean hasSameFiles(Optional<Snapshot> kept, Optional<Snapshot> target) {
        return kept.map(Snapshot::manifest).equals(target.map(Snapshot::manifest));
    }

    /**
     * Gives the workspace some paths, with all beneath them, as they were in a snapshot. The
     * records of what was copied from the bag stay.
     */
    public Restored<Boolean> restore(
            Conversation conversation, Snapshot target, List<WorkspacePath> paths)
            throws IOException, InterruptedException {
        if (paths.isEmpty()) {
            return switchTo(conversation, Optional.of(target), _ -> Boolean.TRUE);
        }
        try (WorkspaceLock.Handle _ = manager.requireNoRun(conversation.id())) {
            Origin origin = snapshots.current(WorkspaceManager.origin(conversation));
            Optional<Snapshot> kept = keep(origin);
            Origin after = origin.at(origin.generation() + 1);
            Snapshot made;
            try {
                made = snapshots.restored(after, Optional.of(target), paths);
            } catch (NoSuchFileException | NotDirectoryException e) {
                throw refused(e);
            }
            return restore(origin, kept, made, _ -> Boolean.TRUE);
        }
    }

    /** What a restored workspace would have, compared with what it has now. Changes nothing. */
    public Manifest.Difference preview(
            Conversation conversation, Snapshot target, List<WorkspacePath> paths)
            throws IOException {
        ConversationId id = conversation.id();
        saved.pending().requireAvailable(id);
        Optional<SafeDirectory> directory =
                snapshots.isRestoring(id) ? Optional.empty() : live.find(id);
        try {
            return snapshots.preview(id, directory, target, paths);
        } catch (NoSuchFileException | NotDirectoryException e) {
            throw refused(e);
        } finally {
            directory.ifPresent(SafeDirectory::close);
        }
    }

    /** A path that cannot be restored alone. */
    private static RuntimeException refused(FileSystemException reason) {
        return reason instanceof NotDirectoryException
                ? SessionErrors.inTheWay(reason.getFile())
                : SessionErrors.noSuchFile();
    }

    /** What a workspace has since it was restored, compared with what it had before. */
    public Manifest.Difference changes(Restored<?> restored) throws IOException {
        return snapshots.difference(
                restored.kept(), restored.made().isPresent() ? restored.made() : restored.kept());
    }

    private <T> Restored<T> restore(
            Origin origin, Optional<Snapshot> kept, Snapshot made, Function<Transaction, T> change)
            throws IOException {
        boolean isLive = !live.isMissing(origin.conversation());
        T result =
                database.write(
                        tx -> {
                            T changed = changeIfFree(tx, origin, change);
                            snapshots.restore(tx, made, isLive); // belongs to the new head
                            return changed;
                        });
        LOG.info(
                "workspace restored chatId={} from={} undo={}",
                origin.conversation().value(),
                made.restoredFrom() == null ? "" : made.restoredFrom().value(),
                kept.map(it -> it.id().value()).orElse(""));
        finish(origin.conversation());
        return new Restored<>(result, kept, Optional.of(made));
    }

    private <T> T changeIfFree(Transaction tx, Origin origin, Function<Transaction, T> change) {
        if (!conversations.advance(tx, origin.conversation(), null, origin.generation())) {
            throw SessionErrors.runInProgress();
        }
        return change.apply(tx);
    }

    /** The transaction is done: what fails now is tried again by the next use of the workspace. */
    private void finish(ConversationId id) {
        try {
            contents.finishRestore(id);
            snapshots.prune(id);
        } catch (IOException | RuntimeException e) {
            LOG.warn("a restored workspace is completed later chatId={}", id.value(), e);
        }
    }

    /**
     * Gives up files that are in no snapshot and cannot be reached, so that the newest snapshot
     * counts again. Fails while they can be reached, and while a run is active. Returns false if
     * there are none.
     */
    public boolean discardPending(Conversation conversation)
            throws IOException, InterruptedException {
        try (WorkspaceLock.Handle _ = manager.requireNoRun(conversation.id())) {
            return saved.pending().discard(conversation);
        }
    }
}
