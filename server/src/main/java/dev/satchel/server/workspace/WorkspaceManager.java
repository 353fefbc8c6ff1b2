package dev.satchel.server.workspace;

import dev.satchel.filesystem.SafeDirectory;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.run.Run;
import dev.satchel.server.sandbox.RunningSandbox;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.SnapshotRestorer;
import dev.satchel.server.snapshot.SnapshotService;
import dev.satchel.server.snapshot.SnapshotService.Occasion;
import dev.satchel.server.workspace.remote.RunnerWorkspaces;
import dev.satchel.server.workspace.remote.WorkspaceClient;
import dev.satchel.server.workspace.remote.WorkspaceTransfer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps workspaces over the turns: restored before a run if need be, kept after it. Keeping works
 * on a thread of its own and holds no lock that a request could wait for; only the next run of the
 * same conversation waits until it is done, so that a snapshot never shows two turns at once.
 */
public final class WorkspaceManager implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceManager.class);

    /** How long an answer is held back, so that its snapshot is usually there with it. */
    private static final Duration ANSWER_WAITS = Duration.ofSeconds(2);

    private final LiveWorkspaces live;
    private final SnapshotService snapshots;
    private final WorkspaceLock gate;
    private final SnapshotRestorer restore;
    private final HttpClient client = WorkspaceClient.newHttpClient();

    /** Changed from outside since the last snapshot, which nothing else would keep. */
    private final Map<ConversationId, Conversation> changed = new ConcurrentHashMap<>();

    public WorkspaceManager(LiveWorkspaces live, SnapshotService snapshots, WorkspaceLock gate) {
        this.live = live;
        this.snapshots = snapshots;
        this.gate = gate;
        this.restore = new SnapshotRestorer(snapshots);
    }

    /** To be called before the run is dispatched, while its lease is held. */
    public void prepare(Run run) throws IOException, InterruptedException {
        ConversationId conversation = run.conversation();
        if (conversation == null) {
            return;
        }
        try (WorkspaceLock.Pass _ = gate.forRun(conversation)) {
            live.bringHere(conversation, directory -> snapshots.take(occasion(run), directory));
            restoreIfGone(conversation);
        }
    }

    /** Brings the workspace into a sandbox with a disk of its own; closing it brings it home. */
    public WorkspaceTransfer carry(Run run, RunningSandbox sandbox) throws IOException {
        ConversationId conversation = run.conversation();
        return conversation == null || !sandbox.hasOwnDisk()
                ? WorkspaceTransfer.NONE
                : WorkspaceTransfer.into(
                        RunnerWorkspaces.in(sandbox, client), conversation, live, gate);
    }

    /** To be called when the run has ended; never throws and never takes long. */
    public void keep(Run run) throws InterruptedException {
        ConversationId conversation = run.conversation();
        if (conversation == null) {
            return;
        }
        Occasion occasion = occasion(run);
        Thread keeping =
                Thread.ofVirtual()
                        .name("snapshot-" + conversation.value())
                        .start(() -> keepQuietly(conversation, () -> keepAfter(occasion)));
        if (!keeping.join(ANSWER_WAITS)) {
            gate.outlast(run, conversation, keeping);
        }
    }

    /** Keeps the workspace unless a run is on, whose own end will keep it. */
    public void keep(Conversation conversation) throws IOException, InterruptedException {
        Optional<WorkspaceLock.Pass> pass = gate.outsideRuns(conversation.id());
        if (pass.isPresent()) {
            try (WorkspaceLock.Pass _ = pass.get()) {
                take(occasion(conversation));
            }
        }
    }

    private static Occasion occasion(Run run) {
        return new Occasion(
                run.tenant(),
                Objects.requireNonNull(run.conversation()),
                run.generation(),
                run.id().value());
    }

    static Occasion occasion(Conversation conversation) {
        return new Occasion(
                conversation.tenant(), conversation.id(), conversation.generation(), null);
    }

    /**
     * Keeps the workspace and takes its live directory away; without the former no latter, and
     * neither while a run is on.
     */
    public void evict(Conversation conversation) throws IOException, InterruptedException {
        try (WorkspaceLock.Pass _ = outsideRuns(conversation.id())) {
            Optional<SafeDirectory> directory = live.find(conversation.id());
            if (directory.isEmpty()) {
                return;
            }
            try (SafeDirectory open = directory.get()) {
                if (snapshots.take(occasion(conversation), open).isEmpty()) {
                    return; // a later turn has been there: this is not ours to take away
                }
            }
            live.remove(conversation.id());
            changed.remove(conversation.id());
        }
    }

    /** What is done to a workspace while nobody else works in it. */
    public interface Change {
        void make(SafeDirectory directory) throws IOException;
    }

    /** A run that begins meanwhile waits until the change is made. */
    void change(Conversation conversation, Change change) throws IOException, InterruptedException {
        ConversationId id = conversation.id();
        try (WorkspaceLock.Pass _ = outsideRuns(id)) {
            restoreIfGone(id);
            try (SafeDirectory directory = live.open(id).orElseThrow(SessionErrors::noWorkspace)) {
                changed.put(id, conversation);
                live.touch(id);
                change.make(directory);
            }
            if (live.goesWithItsServer()) {
                take(occasion(conversation)); // before the change is acknowledged
            }
        }
    }

    /** Takes the live directory of a conversation away for good. */
    public void discard(ConversationId conversation) throws IOException, InterruptedException {
        try (WorkspaceLock.Pass _ = gate.here(conversation)) {
            live.erase(conversation);
        }
    }

    /** Gives a conversation without a workspace the files of another. */
    public void copy(Conversation from, Conversation to) throws IOException, InterruptedException {
        keep(from);
        Optional<Snapshot> newest = snapshots.newest(from.id());
        if (newest.isEmpty() || !live.isMissing(to.id())) {
            return;
        }
        try (WorkspaceLock.Pass _ = outsideRuns(to.id())) {
            restore(newest.get(), to.id());
        }
        keep(to);
    }

    /** Brings the newest snapshot back where the live directory has gone. */
    public void restoreIfMissing(ConversationId conversation)
            throws IOException, InterruptedException {
        Optional<WorkspaceLock.Pass> pass = gate.outsideRuns(conversation);
        if (pass.isPresent()) { // else a run has brought it back itself
            try (WorkspaceLock.Pass _ = pass.get()) {
                restoreIfGone(conversation);
            }
        }
    }

    private void restoreIfGone(ConversationId conversation) throws IOException {
        Optional<Snapshot> newest = snapshots.newest(conversation);
        if (newest.isPresent() && live.isMissing(conversation)) {
            restore(newest.get(), conversation);
            LOG.info("workspace restored chatId={}", conversation.value());
        }
    }

    /** Waits for what is being kept, and keeps what was changed from outside. */
    @Override
    public void close() {
        try {
            for (Conversation conversation : changed.values()) {
                keepQuietly(conversation.id(), () -> keep(conversation));
            }
            if (!gate.awaitEmpty()) {
                LOG.warn("a workspace is still being kept at the end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void restore(Snapshot snapshot, ConversationId to) throws IOException {
        live.install(to, folder -> restore.into(folder, snapshot));
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void keepQuietly(ConversationId conversation, Work work) {
        try {
            work.run();
        } catch (IOException | RuntimeException e) {
            LOG.error("a turn's workspace is not kept chatId={}", conversation.value(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keepAfter(Occasion occasion) throws IOException, InterruptedException {
        try (WorkspaceLock.Pass _ = gate.here(occasion.conversation())) {
            take(occasion);
        }
    }

    private void take(Occasion occasion) throws IOException {
        Optional<SafeDirectory> directory = live.find(occasion.conversation());
        if (directory.isEmpty()) {
            return;
        }
        try (SafeDirectory open = directory.get()) {
            Optional<Snapshot> _ = snapshots.take(occasion, open);
            changed.remove(occasion.conversation());
            snapshots.prune(occasion.conversation());
        }
    }

    private WorkspaceLock.Pass outsideRuns(ConversationId id)
            throws IOException, InterruptedException {
        return gate.outsideRuns(id).orElseThrow(SessionErrors::runInProgress);
    }
}
