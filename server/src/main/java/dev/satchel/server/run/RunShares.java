package dev.satchel.server.run;

import dev.satchel.server.access.TenantId;
import dev.satchel.server.access.UserId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many runs tenants and their users have at the moment, and when each last got a place. Not to
 * be shared between threads.
 */
final class RunShares {
    /** A user of a tenant; null for the whole tenant. */
    private record Holder(TenantId tenant, @Nullable UserId user) {}

    private final Map<Holder, Integer> running = new HashMap<>();
    private final Map<Holder, Long> served = new HashMap<>();
    private long newest;

    /** A copy, to try out an order. */
    RunShares copy() {
        RunShares copy = new RunShares();
        copy.running.putAll(running);
        copy.served.putAll(served);
        copy.newest = newest;
        return copy;
    }

    void addRunning(TenantId tenant, UserId user, int runs) {
        running.merge(new Holder(tenant, null), runs, Integer::sum);
        running.merge(new Holder(tenant, user), runs, Integer::sum);
    }

    void servedAt(TenantId tenant, @Nullable UserId user, long time) {
        served.merge(new Holder(tenant, user), time, Math::max);
        newest = Math.max(newest, time);
    }

    /** One more run has a place: its tenant and user are the last to be served again. */
    void serve(TenantId tenant, UserId user) {
        addRunning(tenant, user, 1);
        long now = newest + 1;
        servedAt(tenant, null, now);
        servedAt(tenant, user, now);
    }

    int running(TenantId tenant) {
        return running.getOrDefault(new Holder(tenant, null), 0);
    }

    int running(TenantId tenant, UserId user) {
        return running.getOrDefault(new Holder(tenant, user), 0);
    }

    long servedAt(TenantId tenant) {
        return served.getOrDefault(new Holder(tenant, null), 0L);
    }

    long servedAt(TenantId tenant, UserId user) {
        return served.getOrDefault(new Holder(tenant, user), 0L);
    }
}
