package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.Run;
import dev.satchel.server.schedule.ContactGap;
import dev.satchel.server.schedule.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mutual exclusion for a conversation's workspace, among all servers: between runs and whatever
 * changes, saves or removes the workspace outside of runs. Threads of this server are excluded by a
 * mutex, other servers by a hold in the database, which expires when its server dies.
 */
public final class WorkspaceLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceLock.class);
    static final Duration HOLD = Duration.ofSeconds(30);
    private static final Duration RENEWAL = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(50);

    /** Longer than a hold, so that the hold of a dead server expires before a caller gives up. */
    static final Duration TIMEOUT = HOLD.plus(Duration.ofSeconds(15));

    private final Database database;
    private final LeaseClock clock;
    private final ContactGap gap;
    private final WorkspaceHoldStore store;
    private final ConversationMutex mutex = new ConversationMutex();
    private final Map<String, ConversationId> holds = new ConcurrentHashMap<>();
    private final Scheduler scheduler = new Scheduler("holds");

    /** The clock {@code steady} measures durations. */
    public WorkspaceLock(
            Database database, WorkspaceHoldStore store, LeaseClock clock, InstantSource steady) {
        this.database = database;
        this.store = store;
        this.clock = clock;
        this.gap = new ContactGap(RENEWAL, steady);
        if (database.dialect() == Dialect.SQLITE) { // the folder is locked: no other server runs
            database.change(store::releaseAll);
        }
        scheduler.every(RENEWAL, this::renew);
    }

    /** Releases the lock when it is closed. */
    public interface Handle extends AutoCloseable {
        @Override
        void close();
    }

    /** For a run, which has the conversation's lease: waits for work outside of runs to end. */
    Handle forRun(ConversationId id) throws IOException, InterruptedException {
        Handle here = onThisServer(id);
        try {
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            while (isHeld(id)) {
                pause(deadline);
            }
            return here;
        } catch (IOException | InterruptedException | RuntimeException e) {
            here.close();
            throw e;
        }
    }

    /** For work outside of runs: empty while a run is active. A run that begins later waits. */
    Optional<Handle> outsideRuns(ConversationId id) throws IOException, InterruptedException {
        Handle here = onThisServer(id);
        try {
            Optional<Handle> hold = awaitHold(id);
            if (hold.isEmpty()) {
                here.close();
            }
            return hold.map(it -> both(it, here));
        } catch (IOException | InterruptedException | RuntimeException e) {
            here.close();
            throw e;
        }
    }

    /** Excludes the threads of this server only. */
    public Handle onThisServer(ConversationId id) throws IOException, InterruptedException {
        return mutex.acquire(id, TIMEOUT).orElseThrow(WorkspaceLock::timeout);
    }

    /** The run may end before this thread of it; the next run, on any server, waits for it. */
    void holdUntilEnd(Thread work, Run run, ConversationId id) {
        try {
            hold(id, run.id().value()).ifPresent(hold -> closeAfter(work, hold));
        } catch (RuntimeException e) {
            LOG.warn("cannot hold the workspace of a run runId={}", run.id().value(), e);
        }
    }

    /** Waits until no thread of this server has a lock; false if one still has after a time. */
    boolean awaitUnused() throws InterruptedException {
        return mutex.awaitUnused(TIMEOUT);
    }

    @Override
    public void close() {
        scheduler.close();
    }

    /** After an outage of the database the hold of another server counts until it can renew it. */
    boolean isHeld(ConversationId id) {
        return database.read(
                tx ->
                        store.find(tx, id)
                                .filter(found -> found.holder() != null)
                                .filter(found -> found.isHeld(gap.judge(clock.now(tx))))
                                .isPresent());
    }

    private Optional<Handle> awaitHold(ConversationId id) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            Optional<Handle> hold = hold(id, null);
            if (hold.isPresent()) {
                return hold;
            }
            WorkspaceHoldStore.Standing row =
                    database.read(tx -> store.find(tx, id))
                            .orElseThrow(SessionErrors::noSuchSession);
            if (row.run() != null) {
                return Optional.empty();
            }
            pause(deadline);
        }
    }

    private Optional<Handle> hold(ConversationId id, @Nullable String run) {
        String holder = UUID.randomUUID().toString();
        boolean taken =
                database.write(
                        tx -> {
                            long now = clock.now(tx);
                            WorkspaceHoldStore.Span span =
                                    new WorkspaceHoldStore.Span(
                                            gap.judge(now), now + HOLD.toMillis());
                            return store.take(tx, id, holder, run, span);
                        });
        if (!taken) {
            return Optional.empty();
        }
        holds.put(holder, id);
        return Optional.of(() -> release(id, holder));
    }

    private void release(ConversationId id, String holder) {
        holds.remove(holder);
        try {
            database.change(tx -> store.release(tx, id, holder));
        } catch (RuntimeException e) {
            LOG.warn("a workspace stays held until the hold expires chatId={}", id.value(), e);
        }
    }

    private void renew() {
        holds.forEach(
                (holder, id) -> {
                    boolean renewed =
                            database.write(
                                    tx ->
                                            store.renew(
                                                    tx,
                                                    id,
                                                    holder,
                                                    clock.now(tx) + HOLD.toMillis()));
                    if (!renewed && holds.remove(holder) != null) {
                        LOG.warn("lost the hold of a workspace chatId={}", id.value());
                    }
                });
    }

    private static void closeAfter(Thread work, Handle hold) {
        Thread.ofVirtual()
                .name(work.getName() + "-held")
                .start(
                        () -> {
                            try (hold) {
                                work.join();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    private static Handle both(Handle first, Handle second) {
        return () -> {
            try (second) {
                first.close();
            }
        };
    }

    private static void pause(long deadline) throws IOException, InterruptedException {
        if (System.nanoTime() > deadline) {
            throw timeout();
        }
        Thread.sleep(POLL);
    }

    private static IOException timeout() {
        return new IOException("the workspace is still being saved or changed");
    }
}
