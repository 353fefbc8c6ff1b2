package dev.satchel.server.run;

import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingLong;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The order in which waiting runs get a place. The tenant with the fewest runs is next, and of
 * several the one that was served least recently; among its users it is the same, and each user's
 * runs keep their order. So a tenant with a thousand waiting runs delays another by one run.
 */
final class FairOrder {
    private final RunShares shares;
    private final Map<TenantId, Map<UserId, Deque<QueuedRun>>> waiting = new HashMap<>();

    private FairOrder(List<QueuedRun> runs, RunShares shares) {
        this.shares = shares.copy();
        runs.stream()
                .sorted(comparingLong(QueuedRun::queuedAt).thenComparing(run -> run.run().value()))
                .forEach(
                        run ->
                                waiting.computeIfAbsent(run.tenant(), _ -> new HashMap<>())
                                        .computeIfAbsent(run.user(), _ -> new ArrayDeque<>())
                                        .add(run));
    }

    static List<QueuedRun> of(List<QueuedRun> runs, RunShares shares) {
        FairOrder order = new FairOrder(runs, shares);
        List<QueuedRun> ordered = new ArrayList<>(runs.size());
        while (!order.waiting.isEmpty()) {
            ordered.add(order.next());
        }
        return ordered;
    }

    private QueuedRun next() {
        TenantId tenant =
                first(
                        waiting,
                        Comparator.<TenantId>comparingInt(shares::running)
                                .thenComparingLong(shares::servedAt),
                        TenantId::value);
        Map<UserId, Deque<QueuedRun>> users = waiting.getOrDefault(tenant, Map.of());
        UserId user =
                first(
                        users,
                        Comparator.<UserId>comparingInt(it -> shares.running(tenant, it))
                                .thenComparingLong(it -> shares.servedAt(tenant, it)),
                        UserId::value);
        Deque<QueuedRun> own = users.getOrDefault(user, new ArrayDeque<>());
        QueuedRun next = own.removeFirst();
        if (own.isEmpty()) {
            users.remove(user);
        }
        if (users.isEmpty()) {
            waiting.remove(tenant);
        }
        shares.serve(tenant, user);
        return next;
    }

    private static <K> K first(Map<K, ?> keys, Comparator<K> order, Function<K, String> name) {
        return keys.keySet().stream().min(order.thenComparing(comparing(name))).orElseThrow();
    }
}
