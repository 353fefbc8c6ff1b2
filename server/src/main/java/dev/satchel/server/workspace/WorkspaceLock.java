package dev.satchel.server.workspace;

import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.database.Database;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.run.LeaseClock;
import dev.satchel.server.run.Run;
import dev.satchel.server.schedule.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one at a time at a conversation's workspace, on whichever server: a run, or somebody who
 * changes, keeps or takes it away while none is on. On this server a turnstile decides, among
 * servers a hold in the database, which ends by itself when its server dies.
 */
public final class WorkspaceLock implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkspaceLock.class);
    static final Duration HOLD = Duration.ofSeconds(30);
    private static final Duration RENEWAL = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(50);

    /** How long one waits for another: a dead server's hold must end before. */
    static final Duration PATIENCE = HOLD.plus(Duration.ofSeconds(15));

    private final Database database;
    private final LeaseClock clock;
    private final WorkspaceHoldStore store = new WorkspaceHoldStore();
    private final ConversationMutex turnstile = new ConversationMutex();
    private final Map<String, ConversationId> held = new ConcurrentHashMap<>();
    private final Scheduler scheduler = new Scheduler("holds");

    public WorkspaceLock(Database database, LeaseClock clock) {
        this.database = database;
        this.clock = clock;
        if (database.dialect() == Dialect.SQLITE) { // its folder is locked: we are alone
            database.change(store::releaseAll);
        }
        scheduler.every(RENEWAL, this::renew);
    }

    /** Held by whoever is inside; closing it lets the next one in. */
    public interface Pass extends AutoCloseable {
        @Override
        void close();
    }

    /** For a run, which has the conversation: whoever was at the workspace before ends first. */
    Pass forRun(ConversationId id) throws IOException, InterruptedException {
        Pass here = here(id);
        try {
            long giveUp = System.nanoTime() + PATIENCE.toNanos();
            while (isHeld(id)) {
                pause(giveUp);
            }
            return here;
        } catch (IOException | InterruptedException | RuntimeException e) {
            here.close();
            throw e;
        }
    }

    /** For whoever works in it without a run: empty while one is on. One that comes then waits. */
    Optional<Pass> outsideRuns(ConversationId id) throws IOException, InterruptedException {
        Pass here = here(id);
        try {
            Optional<Pass> hold = awaitHold(id);
            if (hold.isEmpty()) {
                here.close();
            }
            return hold.map(it -> both(it, here));
        } catch (IOException | InterruptedException | RuntimeException e) {
            here.close();
            throw e;
        }
    }

    /** Alone on this server, for what no other can do. */
    public Pass here(ConversationId id) throws IOException, InterruptedException {
        return turnstile.enter(id, PATIENCE).orElseThrow(WorkspaceLock::stillBusy)::close;
    }

    /** The run's end need not wait for this work of its; the run after it must, wherever it is. */
    void outlast(Run run, ConversationId id, Thread work) {
        try {
            take(id, run.id().value()).ifPresent(hold -> closeAfter(work, hold));
        } catch (RuntimeException e) {
            LOG.warn("no hold for what outlasts a run runId={}", run.id().value(), e);
        }
    }

    /** Waits until nobody is inside here; false when somebody still is after so long. */
    boolean awaitEmpty() throws InterruptedException {
        return turnstile.awaitEmpty(PATIENCE);
    }

    @Override
    public void close() {
        scheduler.close();
    }

    private boolean isHeld(ConversationId id) {
        return database.read(
                tx ->
                        store.find(tx, id)
                                .filter(found -> found.holder() != null)
                                .filter(found -> found.isHeld(clock.now(tx)))
                                .isPresent());
    }

    private Optional<Pass> awaitHold(ConversationId id) throws IOException, InterruptedException {
        long giveUp = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            Optional<Pass> hold = take(id, null);
            if (hold.isPresent()) {
                return hold;
            }
            WorkspaceHoldStore.Standing standing =
                    database.read(tx -> store.find(tx, id))
                            .orElseThrow(SessionErrors::noSuchSession);
            if (standing.run() != null) {
                return Optional.empty();
            }
            pause(giveUp);
        }
    }

    private Optional<Pass> take(ConversationId id, @Nullable String run) {
        String holder = UUID.randomUUID().toString();
        boolean taken =
                database.write(
                        tx -> {
                            long now = clock.now(tx);
                            WorkspaceHoldStore.Span span =
                                    new WorkspaceHoldStore.Span(now, now + HOLD.toMillis());
                            return store.take(tx, id, holder, run, span);
                        });
        if (!taken) {
            return Optional.empty();
        }
        held.put(holder, id);
        return Optional.of(() -> release(id, holder));
    }

    private void release(ConversationId id, String holder) {
        held.remove(holder);
        try {
            database.change(tx -> store.release(tx, id, holder));
        } catch (RuntimeException e) {
            LOG.warn("a workspace stays held until its time is up chatId={}", id.value(), e);
        }
    }

    private void renew() {
        held.forEach(
                (holder, id) -> {
                    boolean ours =
                            database.write(
                                    tx ->
                                            store.renew(
                                                    tx,
                                                    id,
                                                    holder,
                                                    clock.now(tx) + HOLD.toMillis()));
                    if (!ours && held.remove(holder) != null) {
                        LOG.warn("a workspace is no longer held by us chatId={}", id.value());
                    }
                });
    }

    private static void closeAfter(Thread work, Pass hold) {
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

    private static Pass both(Pass first, Pass second) {
        return () -> {
            try (second) {
                first.close();
            }
        };
    }

    private static void pause(long giveUp) throws IOException, InterruptedException {
        if (System.nanoTime() > giveUp) {
            throw stillBusy();
        }
        Thread.sleep(LOOK);
    }

    private static IOException stillBusy() {
        return new IOException("the workspace is still being kept or changed");
    }
}
