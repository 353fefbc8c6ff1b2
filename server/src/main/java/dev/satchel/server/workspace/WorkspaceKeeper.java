package dev.satchel.server.workspace;

import dev.satchel.runner.workspace.SafeDirectory;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.run.Run;
import dev.satchel.server.snapshot.Restore;
import dev.satchel.server.snapshot.Snapshot;
import dev.satchel.server.snapshot.Snapshots;
import dev.satchel.server.snapshot.Snapshots.Occasion;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Keeps workspaces over the turns: restored before a run if need be, kept after it. Keeping works
 * on a thread of its own and holds no lock that a request could wait for; only the next run of the
 * same conversation waits until it is done, so that a snapshot never shows two turns at once.
 */
public final class WorkspaceKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceKeeper.class);

    /** How long an answer is held back, so that its snapshot is usually there with it. */
    private static final Duration ANSWER_WAITS = Duration.ofSeconds(2);

    /** How long a run waits for the snapshot of the one before. */
    private static final Duration RUN_WAITS = Duration.ofSeconds(30);

    private final LiveWorkspaces live;
    private final Snapshots snapshots;
    private final Predicate<ConversationId> inUse;
    private final Restore restore;
    private final Turnstile turnstile = new Turnstile();

    /** Changed from outside since the last snapshot, which nothing else would keep. */
    private final Map<ConversationId, Conversation> changed = new ConcurrentHashMap<>();

    /** {@code inUse} tells whether a run is on in a conversation right now. */
    public WorkspaceKeeper(
            LiveWorkspaces live, Snapshots snapshots, Predicate<ConversationId> inUse) {
        this.live = live;
        this.snapshots = snapshots;
        this.inUse = inUse;
        this.restore = new Restore(snapshots);
    }

    /** To be called before the run is dispatched, while its lease is held. */
    public void prepare(Run run) throws IOException, InterruptedException {
        ConversationId conversation = run.conversation();
        if (conversation != null) {
            restoreIfMissing(conversation);
        }
    }

    /** To be called when the run has ended; never throws and never takes long. */
    public void keep(Run run) throws InterruptedException {
        ConversationId conversation = run.conversation();
        if (conversation == null) {
            return;
        }
        Occasion occasion =
                new Occasion(run.tenant(), conversation, run.generation(), run.id().value());
        Thread keeping =
                Thread.ofVirtual()
                        .name("snapshot-" + conversation.value())
                        .start(() -> keepQuietly(occasion));
        boolean _ = keeping.join(ANSWER_WAITS);
    }

    /** Keeps the workspace of a conversation in which no run is on. */
    public Optional<Snapshot> keep(Conversation conversation)
            throws IOException, InterruptedException {
        return keep(occasion(conversation));
    }

    private static Occasion occasion(Conversation conversation) {
        return new Occasion(
                conversation.tenant(), conversation.id(), conversation.generation(), null);
    }

    /**
     * Keeps the workspace and takes its live directory away; without the former no latter, and
     * neither while a run is on.
     */
    public void evict(Conversation conversation) throws IOException, InterruptedException {
        try (Turnstile.Pass _ = enter(conversation.id())) {
            if (inUse.test(conversation.id())) { // a run that comes later waits for us
                throw SessionErrors.runInProgress();
            }
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
        try (Turnstile.Pass _ = enter(id)) {
            if (inUse.test(id)) {
                throw SessionErrors.runInProgress();
            }
            restoreIfGone(id);
            try (SafeDirectory directory = live.open(id).orElseThrow(SessionErrors::noWorkspace)) {
                changed.put(id, conversation);
                live.touch(id);
                change.make(directory);
            }
        }
    }

    /** Takes the live directory of a conversation away for good. */
    public void discard(ConversationId conversation) throws IOException, InterruptedException {
        try (Turnstile.Pass _ = enter(conversation)) {
            if (live.path(conversation).isPresent() && !live.isMissing(conversation)) {
                live.erase(conversation);
            }
        }
    }

    /** Gives a conversation without a workspace the files of another. */
    public void copy(Conversation from, Conversation to) throws IOException, InterruptedException {
        keep(from);
        Optional<Snapshot> newest = snapshots.newest(from.id());
        if (newest.isEmpty() || live.path(to.id()).isEmpty()) {
            return;
        }
        try (Turnstile.Pass _ = enter(to.id())) {
            restore(newest.get(), to.id());
        }
        keep(to);
    }

    /** Brings the newest snapshot back where the live directory has gone. */
    public void restoreIfMissing(ConversationId conversation)
            throws IOException, InterruptedException {
        try (Turnstile.Pass _ = enter(conversation)) {
            restoreIfGone(conversation);
        }
    }

    private void restoreIfGone(ConversationId conversation) throws IOException {
        if (!live.isMissing(conversation)) {
            return;
        }
        Optional<Snapshot> newest = snapshots.newest(conversation);
        if (newest.isPresent()) {
            restore(newest.get(), conversation);
            LOG.info("workspace restored chatId={}", conversation.value());
        }
    }

    /** Waits for what is being kept, and keeps what was changed from outside. */
    @Override
    public void close() {
        try {
            for (Conversation conversation : changed.values()) {
                keepQuietly(occasion(conversation));
            }
            if (!turnstile.awaitEmpty(RUN_WAITS)) {
                LOG.warn("a workspace is still being kept at the end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void restore(Snapshot snapshot, ConversationId to) throws IOException {
        Path folder = live.newFolder();
        restore.into(folder, snapshot);
        live.install(folder, to);
    }

    private void keepQuietly(Occasion occasion) {
        try {
            keep(occasion);
        } catch (IOException | RuntimeException e) {
            LOG.error(
                    "a turn's workspace is not kept chatId={}", occasion.conversation().value(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<Snapshot> keep(Occasion occasion) throws IOException, InterruptedException {
        try (Turnstile.Pass _ = enter(occasion.conversation())) {
            Optional<SafeDirectory> directory = live.find(occasion.conversation());
            if (directory.isEmpty()) {
                return Optional.empty();
            }
            try (SafeDirectory open = directory.get()) {
                Optional<Snapshot> taken = snapshots.take(occasion, open);
                changed.remove(occasion.conversation());
                snapshots.prune(occasion.conversation());
                return taken;
            }
        }
    }

    private Turnstile.Pass enter(ConversationId id) throws IOException, InterruptedException {
        return turnstile
                .enter(id, RUN_WAITS)
                .orElseThrow(() -> new IOException("the workspace is still being kept"));
    }
}
