package dev.satchel.server.limit;

import java.util.EnumMap;
import java.util.Map;

/**
 * The limits of tenants and users for whom the operator has set none; 0 is no limit.
 *
 * @param maxRuns how many runs one server executes at the same time
 * @param maxWaiting how many runs of a tenant may wait for a free place
 * @param diskReserveMegabytes what stays free on the disk of the data folder; 0 is nothing
 */
public record LimitDefaults(
        int maxRuns,
        int maxWaiting,
        long diskReserveMegabytes,
        Map<LimitName, Long> tenant,
        Map<LimitName, Long> user) {
    /** Nothing but the places of a server is limited. */
    public static final LimitDefaults NONE =
            new LimitDefaults(100_000, 100_000, 0, Map.of(), Map.of());

    public LimitDefaults {
        tenant = Map.copyOf(tenant);
        user = Map.copyOf(user);
    }

    long ofTenant(LimitName name) {
        return tenant.getOrDefault(name, 0L);
    }

    long ofUser(LimitName name) {
        return user.getOrDefault(name, 0L);
    }

    /** With another default for tenants. */
    public LimitDefaults withTenant(LimitName name, long value) {
        Map<LimitName, Long> changed = new EnumMap<>(LimitName.class);
        changed.putAll(tenant);
        changed.put(name, value);
        return new LimitDefaults(maxRuns, maxWaiting, diskReserveMegabytes, changed, user);
    }

    /** With another number of places of a server. */
    public LimitDefaults withMaxRuns(int runs) {
        return new LimitDefaults(runs, maxWaiting, diskReserveMegabytes, tenant, user);
    }

    /** With another reserve of the disk. */
    public LimitDefaults withDiskReserve(long megabytes) {
        return new LimitDefaults(maxRuns, maxWaiting, megabytes, tenant, user);
    }
}
