package dev.satchel.server.run;

import static dev.satchel.server.limit.LimitName.RUNS;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import dev.satchel.server.conversation.ConversationId;
import dev.satchel.server.conversation.RunId;
import dev.satchel.server.database.Transaction;
import dev.satchel.server.limit.LimitService;
import dev.satchel.server.limit.ModelBudget;
import dev.satchel.server.limit.StorageQuota;
import dev.satchel.server.node.NodeId;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The runs that wait for a free place. They are rows only: no thread, sandbox, lease or stream
 * belongs to them. Every server takes the next one when it has a place; of several that want the
 * same run one gets it.
 */
public final class RunQueue {
    /** The node for which a waiting run waits: whichever server has a place. */
    private static final NodeId ANY = new NodeId("00000000-0000-0000-0000-000000000000");

    /** A waiting run has no process that could be lost. */
    private static final long NO_LEASE = Long.MAX_VALUE;

    /** Places up to this one are shown exactly, later ones when a tenth has changed. */
    private static final int EXACT = 10;

    private static final int MOVES = 100;

    private final RunStore runs;
    private final LimitService limits;
    private final RunPlaces places;
    private final Uses uses;
    private final RunQueueStore store = new RunQueueStore();

    /** What a new run must not have used up. */
    public record Uses(ModelBudget budget, StorageQuota storage) {}

    /** The clock measures durations; nothing sets it back. */
    public RunQueue(RunStore runs, LimitService limits, Uses uses, InstantSource clock) {
        this.runs = runs;
        this.uses = uses;
        this.limits = limits;
        this.places = new RunPlaces(limits.defaults().maxRuns(), clock);
    }

    /** The places of this server. */
    public RunPlaces places() {
        return places;
    }

    /** How many runs of a tenant may wait. */
    public int maxWaiting() {
        return limits.defaults().maxWaiting();
    }

    public int count(Transaction tx, TenantId tenant) {
        return store.count(tx, tenant);
    }

    /** Refuses a new run of a tenant or a user who has used up a limit. */
    public void requireMayRun(Transaction tx, Run run) {
        if (run.setup().command() == null) {
            uses.budget().require(tx, run.tenant(), store.user(tx, run.id()));
        }
        uses.storage().requireStorage(tx, run.tenant());
    }

    /** Whether a stored run may take a free place at once, because nobody comes before it. */
    public boolean mayStart(Transaction tx, Run run, long now) {
        QueuedRun wanted = entry(tx, run);
        List<QueuedRun> waiting = new ArrayList<>(store.waiting(tx));
        if (!waiting.isEmpty() && !isNext(tx, waiting, wanted)) {
            return false;
        }
        store.serve(tx, run.tenant(), wanted.user(), now);
        return new Room(tx, sharesWithout(tx, wanted)).has(wanted);
    }

    private boolean isNext(Transaction tx, List<QueuedRun> waiting, QueuedRun wanted) {
        RunShares shares = sharesWithout(tx, wanted);
        Room room = new Room(tx, shares);
        waiting.add(wanted);
        for (QueuedRun next : FairOrder.of(waiting, shares)) {
            if (next.equals(wanted)) {
                return true;
            }
            if (room.has(next)) {
                return false;
            }
        }
        return false;
    }

    /** The row of the run is there already, but it has no place yet. */
    private RunShares sharesWithout(Transaction tx, QueuedRun entry) {
        RunShares shares = store.shares(tx);
        shares.addRunning(entry.tenant(), entry.user(), -1);
        return shares;
    }

    /** Adds a stored run to the queue; returns its place, counted from 1. */
    public long add(Transaction tx, Run run) {
        boolean held = runs.release(tx, run, NO_LEASE);
        if (!held) {
            throw new StaleRunException(run.id());
        }
        runs.forward(tx, run.id(), ANY);
        store.insert(tx, run);
        List<QueuedRun> order = FairOrder.of(store.waiting(tx), store.shares(tx));
        for (int i = 0; i < order.size(); i++) {
            QueuedRun queued = order.get(i);
            if (queued.run().equals(run.id())) {
                boolean _ = store.move(tx, queued, i + 1L);
                return i + 1L;
            }
        }
        throw new IllegalStateException("a run is not in the queue it was added to");
    }

    /**
     * Takes the next run that may start on this server.
     *
     * @param isHere whether this server may execute runs of a conversation
     */
    public Optional<Run> takeNext(
            Transaction tx,
            ServerProcessId owner,
            long until,
            long now,
            Predicate<ConversationId> isHere) {
        store.removeEnded(tx);
        List<QueuedRun> waiting = store.waiting(tx);
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        RunShares shares = store.shares(tx);
        Room room = new Room(tx, shares);
        for (QueuedRun next : FairOrder.of(waiting, shares)) {
            if (room.has(next) && isHere.test(next.conversation())) {
                store.serve(tx, next.tenant(), next.user(), now);
                if (new Room(tx, store.shares(tx)).has(next)
                        && take(tx, next.run(), owner, until)) {
                    return runs.find(tx, next.run());
                }
            }
        }
        return Optional.empty();
    }

    /** Takes a waiting run out of the queue, as the process that ends it; false if it has left. */
    public boolean take(Transaction tx, RunId run, ServerProcessId owner, long until) {
        return store.remove(tx, run) && runs.takeForwarded(tx, run, ANY, owner, until);
    }

    /** A run whose place in the queue has changed. */
    public record Moved(Run run, long position) {}

    /** The runs whose streams should show a new place; this server shows them. */
    public List<Moved> move(Transaction tx) {
        List<QueuedRun> waiting = store.waiting(tx);
        if (waiting.isEmpty()) {
            return List.of();
        }
        List<Moved> moved = new ArrayList<>();
        List<QueuedRun> order = FairOrder.of(waiting, store.shares(tx));
        for (int i = 0; i < order.size() && moved.size() < MOVES; i++) {
            QueuedRun queued = order.get(i);
            long position = i + 1L;
            if (isWorthShowing(queued.position(), position) && store.move(tx, queued, position)) {
                runs.find(tx, queued.run()).ifPresent(run -> moved.add(new Moved(run, position)));
            }
        }
        return moved;
    }

    /** Every change of the last places would be many lines that nobody needs. */
    private static boolean isWorthShowing(long before, long now) {
        if (before == now) {
            return false;
        }
        return now <= EXACT || Math.abs(before - now) * 10 >= before;
    }

    /** Whether tenants and users may have one more run; reads each limit once. */
    private final class Room {
        private final Transaction tx;
        private final RunShares shares;
        private final Map<TenantId, Long> ofTenants = new HashMap<>();
        private final Map<QueuedRun.Holder, Long> ofUsers = new HashMap<>();

        Room(Transaction tx, RunShares shares) {
            this.tx = tx;
            this.shares = shares;
        }

        boolean has(QueuedRun run) {
            long max = ofTenants.computeIfAbsent(run.tenant(), it -> limits.of(tx, it, RUNS));
            if (max != 0 && shares.running(run.tenant()) >= max) {
                return false;
            }
            long ofUser =
                    ofUsers.computeIfAbsent(
                            run.holder(), it -> limits.of(tx, it.tenant(), it.user(), RUNS));
            return ofUser == 0 || shares.running(run.tenant(), run.user()) < ofUser;
        }
    }

    private QueuedRun entry(Transaction tx, Run run) {
        UserId user = store.user(tx, run.id());
        return new QueuedRun(run.id(), run.conversation(), run.tenant(), user, run.startedAt(), 0);
    }
}
