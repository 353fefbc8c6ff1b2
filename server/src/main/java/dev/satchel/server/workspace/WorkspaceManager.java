package dev.satchel.server.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.server.bag.WorkspaceCopies;
import dev.satchel.server.bag.WorkspaceCopies.Removal;
import dev.satchel.server.bag.WorkspaceCopy;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.MessageId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.file.FileId;
import dev.satchel.server.run.Run;
import dev.satchel.server.run.RunLogContext;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.snapshot.SnapshotService.Origin;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares workspaces before runs and saves them as snapshots afterwards. A snapshot is taken on a
 * thread of its own. Only the next run of the same conversation waits for it, so that a snapshot
 * never shows the files of two turns.
 */
public final class WorkspaceManager implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceManager.class);

    /** How long the end of a run waits for its snapshot, so that both usually appear together. */
    private static final Duration SNAPSHOT_WAIT = Duration.ofSeconds(2);

    private final LiveWorkspaces live;
    private final PeerWorkspaces peers;
    private final SnapshotService snapshots;
    private final PendingSnapshots pending;
    private final WorkspaceLock lock;
    private final WorkspaceTransfer.Factory transfers;
    private final WorkspaceCopies copies;
    private final WorkspaceContents contents;

    /** Runs on the disk of a sandbox whose files are not here. */
    private final Set<RunId> notCopiedBack = ConcurrentHashMap.newKeySet();

    /** Changed through the API since the last snapshot; no run will save these changes. */
    private final Map<ConversationId, Conversation> changed = new ConcurrentHashMap<>();

    /** What the database and the object store have of workspaces. */
    public record Saved(
            SnapshotService snapshots, WorkspaceCopies copies, PendingSnapshots pending) {}

    public WorkspaceManager(
            LiveWorkspaces live,
            PeerWorkspaces peers,
            Saved saved,
            WorkspaceLock lock,
            WorkspaceTransfer.Factory transfers) {
        this.live = live;
        this.peers = peers;
        this.snapshots = saved.snapshots();
        this.pending = saved.pending();
        this.lock = lock;
        this.transfers = transfers;
        this.copies = saved.copies();
        this.contents = new WorkspaceContents(live, saved);
    }

    /** Restores the workspace if it is missing; before the dispatch, while the lease is held. */
    public WorkspaceCopies.Prepared prepare(Run run) throws IOException, InterruptedException {
        ConversationId conversation = run.conversation();
        try (WorkspaceLock.Handle _ = lock.forRun(conversation)) {
            peers.bringHere(originBefore(run, conversation));
            pending.requireAvailable(conversation);
            boolean wasLive = contents.areLive(conversation);
            if (!wasLive && contents.areEmpty(conversation)) {
                return WorkspaceCopies.Prepared.empty(run.attempt() > 1);
            }
            if (!live.areOffered()) {
                copies.forgetAll(conversation); // the runner unpacks the bag itself
                return WorkspaceCopies.Prepared.empty(false);
            }
            boolean isOlder = contents.restoreIfAbsent(conversation, run.generation() - 1);
            if (wasLive && run.attempt() == 1) {
                contents.keepBefore(originBefore(run, conversation), run.userMessageId());
                changed.remove(conversation);
            }
            var renamed = contents.updateCopies(conversation, run.generation());
            return new WorkspaceCopies.Prepared(renamed, isOlder);
        }
    }

    /** Copies the workspace to a sandbox that has a disk of its own; closing copies it back. */
    public WorkspaceTransfer copyTo(RunningSandbox sandbox, Run run) throws IOException {
        ConversationId conversation = run.conversation();
        if (!sandbox.hasOwnDisk()) {
            return WorkspaceTransfer.NONE;
        }
        notCopiedBack.add(run.id());
        WorkspaceTransfer transfer = transfers.copyTo(sandbox, conversation);
        if (transfer.equals(WorkspaceTransfer.NONE)) { // a runner of another vendor
            return transfer;
        }
        return () -> {
            transfer.close();
            notCopiedBack.remove(run.id());
        };
    }

    /**
     * To be called when the run has ended. Never throws, and waits a short time only. Returns the
     * place of the files if they are in no snapshot yet.
     *
     * @param changed false if the run surely changed no file
     */
    public Optional<String> saveAfter(Run run, boolean changed) throws InterruptedException {
        ConversationId conversation = run.conversation();
        AtomicBoolean saved = new AtomicBoolean();
        Runnable work =
                () -> saved.set(pending.attempt(conversation, () -> saveFilesOf(run, changed)));
        Thread saving = Thread.ofVirtual().name("snapshot-" + conversation.value()).start(work);
        if (!saving.join(SNAPSHOT_WAIT)) {
            lock.holdUntilEnd(saving, run, conversation);
        }
        return saved.get() ? Optional.empty() : Optional.of(pending.place());
    }

    private void saveFilesOf(Run run, boolean changed) throws IOException, InterruptedException {
        ConversationId conversation = run.conversation();
        RunLogContext.set(run);
        boolean isOld = notCopiedBack.remove(run.id());
        try (WorkspaceLock.Handle _ = lock.onThisServer(conversation)) {
            if (!live.areOffered()) {
                contents.saveBag(origin(run));
                return;
            }
            if (isOld) { // it has what the run was given, and gets what the run has handed in
                copies.forgetAfter(conversation, run.generation() - 1);
                List<WorkspaceCopies.Renamed> _ =
                        contents.updateCopies(conversation, run.generation());
            }
            if (changed || isOld || !snapshots.repeat(origin(run))) {
                boolean _ = takeSnapshotHere(origin(run));
            }
        }
    }

    /** Takes a snapshot, unless a run is active: its end takes one. */
    public void save(Conversation conversation) throws IOException, InterruptedException {
        Optional<WorkspaceLock.Handle> handle = lock.outsideRuns(conversation.id());
        if (handle.isPresent()) {
            try (WorkspaceLock.Handle _ = handle.get()) {
                takeSnapshot(snapshots.current(origin(conversation)));
            }
        }
    }

    /**
     * Takes a snapshot of a workspace on this server's disk. Returns false if there is none, or a
     * later snapshot.
     */
    public boolean saveHere(Origin origin) throws IOException, InterruptedException {
        try (WorkspaceLock.Handle _ = lock.onThisServer(origin.conversation())) {
            return takeSnapshotHere(origin);
        }
    }

    /**
     * Takes a snapshot and removes the live workspace. Fails while a run is active. Without a
     * snapshot the workspace stays.
     */
    public void evict(Conversation conversation) throws IOException, InterruptedException {
        try (WorkspaceLock.Handle _ = requireNoRun(conversation.id())) {
            if (takeSnapshot(snapshots.current(origin(conversation)))) {
                live.remove(conversation.id());
            }
        }
    }

    /** A change of a workspace, made while no run and no other change is active. */
    @FunctionalInterface
    public interface Change {
        void make(SafeDirectory directory) throws IOException;
    }

    /**
     * A run that begins meanwhile waits until the change is made.
     *
     * @param active whether readers see the live workspace; otherwise a snapshot shows the change
     */
    void change(Conversation conversation, Change change, BooleanSupplier active)
            throws IOException, InterruptedException {
        try (WorkspaceLock.Handle _ = requireNoRun(conversation.id())) {
            makeChange(conversation, change, active);
        }
    }

    private void makeChange(Conversation conversation, Change change, BooleanSupplier active)
            throws IOException, InterruptedException {
        ConversationId id = conversation.id();
        peers.bringHere(origin(conversation));
        boolean _ = contents.restoreIfAbsent(id, 0);
        boolean absent = live.isMissing(id);
        try (SafeDirectory directory = live.open(id).orElseThrow(SessionErrors::noWorkspace)) {
            snapshots.willChange(id);
            changed.put(id, conversation);
            live.touch(id);
            change.make(directory);
        } catch (IOException | RuntimeException e) {
            if (absent) { // a refused change creates no workspace
                changed.remove(id);
                live.erase(id);
            }
            throw e;
        }
        if (peers.mayTakeOver() || !active.getAsBoolean()) {
            takeSnapshot(snapshots.current(origin(conversation))); // before it is acknowledged
        }
    }

    /** The conversations whose live workspaces this server has. */
    public List<ConversationId> liveHere() throws IOException {
        return live.all();
    }

    /** Changes a live workspace of this server; false if there is none, or a run is active. */
    public boolean changeIfUnused(Conversation conversation, Change change)
            throws IOException, InterruptedException {
        ConversationId id = conversation.id();
        Optional<WorkspaceLock.Handle> handle = lock.outsideRuns(id);
        if (handle.isEmpty()) {
            return false;
        }
        try (WorkspaceLock.Handle _ = handle.get()) {
            contents.finishRestore(id);
            Optional<SafeDirectory> found = live.find(id);
            if (found.isEmpty()) {
                return false;
            }
            try (SafeDirectory directory = found.get()) {
                snapshots.willChange(id);
                changed.put(id, conversation);
                change.make(directory);
            }
            if (peers.mayTakeOver()) {
                takeSnapshot(origin(conversation));
            }
            return true;
        }
    }

    /** The workspaces whose files are in no snapshot. */
    public PendingSnapshots pending() {
        return pending;
    }

    /** Deletes the live workspace of a conversation that is being deleted. */
    public void delete(ConversationId conversation) throws IOException, InterruptedException {
        try (WorkspaceLock.Handle _ = lock.onThisServer(conversation)) {
            live.erase(conversation);
        }
    }

    /**
     * Removes the copy of a file that was deleted from the bag, unless it was changed. During a
     * run, and while the workspace is out of reach, it is left to the next run.
     */
    public Removal removeCopy(Conversation conversation, WorkspaceCopy copy)
            throws InterruptedException {
        ConversationId id = conversation.id();
        try {
            if (!live.areOffered()) {
                return Removal.GONE;
            }
            Optional<WorkspaceLock.Handle> handle = lock.outsideRuns(id);
            if (handle.isEmpty()) {
                return Removal.PENDING;
            }
            try (WorkspaceLock.Handle _ = handle.get()) {
                AtomicReference<Removal> removal = new AtomicReference<>(Removal.GONE);
                long generation = conversation.generation() + 1;
                makeChange(
                        conversation,
                        directory -> removal.set(copies.remove(copy, id, directory, generation)),
                        () -> false); // readers of a paused session see the snapshot
                return removal.get();
            }
        } catch (IOException e) {
            LOG.warn("a copy of a deleted file stays until the next run chatId={}", id.value(), e);
            return Removal.PENDING;
        }
    }

    /** A snapshot of what the conversation has now; empty if it has no files. */
    public Optional<Snapshot> current(Conversation conversation)
            throws IOException, InterruptedException {
        save(conversation);
        if (pending.isPending(conversation.id())) {
            throw SessionErrors.workspacePending(conversation.id());
        }
        return snapshots.newest(conversation.id());
    }

    /**
     * Gives a conversation without a workspace the files of a snapshot of another.
     *
     * @param files the files of its bag by the ids of those of which they are copies
     */
    public void copy(Snapshot from, Conversation to, Map<FileId, FileId> files)
            throws IOException, InterruptedException {
        if (live.isMissing(to.id())) {
            try (WorkspaceLock.Handle _ = requireNoRun(to.id())) {
                copies.copy(from.conversation(), from.generation(), to, files);
                contents.restore(from, to.id());
            }
            save(to);
        }
    }

    /** Restores the newest snapshot if there is no live workspace. */
    public void restoreIfMissing(ConversationId conversation)
            throws IOException, InterruptedException {
        Optional<WorkspaceLock.Handle> handle = lock.outsideRuns(conversation);
        if (handle.isPresent()) { // otherwise the active run has restored it
            try (WorkspaceLock.Handle _ = handle.get()) {
                boolean _ = contents.restoreIfAbsent(conversation, 0);
            }
        }
    }

    /** Waits for snapshots that are being taken, and saves changes that no run will save. */
    @Override
    public void close() {
        try {
            for (Conversation conversation : changed.values()) {
                boolean _ = pending.attempt(conversation.id(), () -> save(conversation));
            }
            if (!lock.awaitUnused()) {
                LOG.warn("a snapshot is still being taken at shutdown");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public static Origin origin(Conversation conversation) {
        return new Origin(
                conversation.tenant(), conversation.id(), conversation.generation(), null);
    }

    /**
     * Its snapshot belongs to its answer; that of a command, which has none, to the last message.
     */
    private static Origin origin(Run run) {
        String id = run.id().value();
        MessageId answer = run.userMessageId() == null ? null : MessageId.ofAnswer(run.id());
        return new Origin(run.tenant(), run.conversation(), run.generation(), id, answer);
    }

    /** The state before the run: the run's own generation has the files that it was given. */
    private static Origin originBefore(Run run, ConversationId conversation) {
        return new Origin(run.tenant(), conversation, run.generation() - 1, null);
    }

    /** A snapshot has everything that was changed. */
    void saved(ConversationId id) {
        pending.succeeded(id);
        changed.remove(id);
    }

    private boolean takeSnapshot(Origin origin) throws IOException {
        return takeSnapshotHere(origin) || peers.snapshot(origin);
    }

    private boolean takeSnapshotHere(Origin origin) throws IOException {
        contents.finishRestore(origin.conversation());
        Optional<SafeDirectory> directory = live.find(origin.conversation());
        if (directory.isEmpty()) {
            return false;
        }
        try (SafeDirectory open = directory.get()) {
            Optional<Snapshot> taken = snapshots.take(origin, open);
            saved(origin.conversation());
            snapshots.prune(origin.conversation());
            return taken.isPresent();
        }
    }

    WorkspaceLock.Handle requireNoRun(ConversationId id) throws IOException, InterruptedException {
        return lock.outsideRuns(id).orElseThrow(SessionErrors::runInProgress);
    }
}
