package dev.satchel.server.workspace;

import dev.satchel.server.audit.AuditEvent;
import dev.satchel.server.audit.AuditStore;
import dev.satchel.server.conversation.Conversation;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.ConversationStore;
import dev.satchel.server.database.Database;
import dev.satchel.server.objectstore.ObjectStoreUnavailableException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workspaces whose files are in no snapshot, because it failed after a run. The row of the
 * conversation names the server that has the files. That server tries again until they are saved,
 * also after its restart, and nothing continues from an older snapshot meanwhile.
 */
public final class PendingSnapshots {
    private static final Logger LOG = LoggerFactory.getLogger(PendingSnapshots.class);

    /** How often the rows are read; also the shortest time between two tries. */
    public static final Duration PERIOD = Duration.ofSeconds(2);

    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

    private final Database database;
    private final ConversationStore conversations;
    private final WorkspaceHomeStore homes;
    private final LiveWorkspaces live;
    private final Clock clock;
    private final AuditStore audit = new AuditStore();

    /** Failures that the log has; each is written once. */
    private final Set<ConversationId> reported = ConcurrentHashMap.newKeySet();

    private volatile Runnable onFailure = () -> {};
    private boolean outage; // guarded by this, like the two below
    private Duration delay = PERIOD;
    private long nextNanos = System.nanoTime();

    public PendingSnapshots(
            Database database,
            ConversationStore conversations,
            WorkspaceHomeStore homes,
            LiveWorkspaces live,
            Clock clock) {
        this.database = database;
        this.conversations = conversations;
        this.homes = homes;
        this.live = live;
        this.clock = clock;
    }

    /** Calls the listener when a workspace could not be saved. */
    public void onFailure(Runnable listener) {
        onFailure = listener;
    }

    /** Where files are that this server could not save. */
    String place() {
        return live.place();
    }

    boolean isPending(ConversationId id) {
        return database.read(tx -> homes.pendingAt(tx, id)).isPresent();
    }

    /** Refuses if the newest files are in no snapshot and cannot be reached. */
    public void requireAvailable(ConversationId id) throws IOException {
        if (isPending(id) && (live.isMissing(id) || !live.isReachable(id))) {
            throw SessionErrors.workspacePending(id);
        }
    }

    /**
     * Gives up files that cannot be reached; false if there are none. The caller holds the lock of
     * the workspace. From then on a snapshot of them is refused.
     */
    boolean discard(Conversation conversation) throws IOException {
        ConversationId id = conversation.id();
        Optional<String> place = database.read(tx -> homes.pendingAt(tx, id));
        if (place.isEmpty()) {
            return false;
        }
        if (!live.isMissing(id)) {
            throw SessionErrors.notPending();
        }
        boolean discarded =
                database.write(
                        tx -> {
                            boolean changed = homes.discardPending(tx, id, place.get());
                            if (changed) {
                                audit.add(tx, discarded(conversation), clock.millis());
                            }
                            return changed;
                        });
        if (discarded) {
            LOG.warn("files that were not saved are given up chatId={}", id.value());
        }
        return discarded;
    }

    private static AuditEvent discarded(Conversation conversation) {
        String id = conversation.id().value();
        return AuditEvent.allowed(conversation.tenant(), id, AuditEvent.Action.DELETE, id)
                .with(Map.of("what", "files that were not saved"));
    }

    /** Takes the snapshot of a workspace on this server. */
    @FunctionalInterface
    public interface Saver {
        void save(Conversation conversation) throws IOException, InterruptedException;
    }

    /** Tries to save all workspaces that this server has, unless it has failed a short time ago. */
    public void retry(Saver saver) {
        if (mustWait()) {
            return;
        }
        String after = "";
        for (List<ConversationId> page = page(after); !page.isEmpty(); page = page(after)) {
            for (ConversationId id : page) {
                boolean saved = attempt(id, () -> save(id, saver));
                if (Thread.currentThread().isInterrupted() || (!saved && mustWait())) {
                    return; // the object store is away: the others would fail as well
                }
            }
            after = page.getLast().value();
        }
    }

    private synchronized boolean mustWait() {
        return System.nanoTime() - nextNanos < 0;
    }

    private List<ConversationId> page(String after) {
        return database.read(tx -> homes.pending(tx, live.place(), after));
    }

    private void save(ConversationId id, Saver saver) throws IOException, InterruptedException {
        Optional<Conversation> found = database.read(tx -> conversations.find(tx, id));
        if (found.isPresent()) {
            saver.save(found.get());
        }
    }

    /** Work that takes a snapshot. */
    @FunctionalInterface
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    /** Returns false if the work has failed; writes to the log what is not known yet. */
    boolean attempt(ConversationId id, Work work) {
        try {
            work.run();
            return true;
        } catch (IOException | RuntimeException e) {
            onFailure.run();
            failed(id, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** An outage of the object store is one line of the log, whatever fails because of it. */
    private synchronized void failed(ConversationId id, Exception e) {
        if (!isOutage(e)) {
            if (reported.add(id)) {
                LOG.error("no snapshot of a workspace, trying again chatId={}", id.value(), e);
            }
            return;
        }
        if (!outage) {
            LOG.warn(
                    "the object store is away, workspaces are saved later chatId={} reason={}",
                    id.value(),
                    e.getMessage());
        }
        outage = true;
        nextNanos = System.nanoTime() + delay.toNanos();
        Duration next = delay.multipliedBy(2);
        delay = next.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : next;
    }

    synchronized void succeeded(ConversationId id) {
        reported.remove(id);
        if (outage) {
            LOG.info("the object store is back, workspaces are saved again");
        }
        outage = false;
        delay = PERIOD;
        nextNanos = System.nanoTime();
    }

    private static boolean isOutage(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ObjectStoreUnavailableException) {
                return true;
            }
        }
        return false;
    }
}
