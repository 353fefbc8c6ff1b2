package dev.satchel.server.configuration;

import dev.satchel.server.limit.LimitDefaults;
import dev.satchel.server.limit.LimitName;
import java.util.EnumMap;
import java.util.Map;

/** Reads the limits of tenants and users for whom the operator has set none. */
final class LimitReader {
    private static final long GIGABYTE = 1_000_000_000;
    private static final int MICROS = 1_000_000;

    private final SettingsReader settings;

    LimitReader(SettingsReader settings) {
        this.settings = settings;
    }

    LimitDefaults read() {
        int maxRuns = settings.integer("SATCHEL_MAX_RUNS", 16, 1, 10_000);
        return new LimitDefaults(
                maxRuns,
                settings.integer("SATCHEL_MAX_WAITING_RUNS", 1_000, 1, 10_000),
                settings.integer("SATCHEL_DISK_RESERVE_MB", 1_024, 0, 100_000_000),
                ofTenant(maxRuns),
                ofUser(maxRuns));
    }

    private Map<LimitName, Long> ofUser(int maxRuns) {
        return Map.of(
                LimitName.RUNS,
                (long)
                        settings.integer(
                                "SATCHEL_MAX_USER_RUNS", Math.max(1, maxRuns / 2), 0, 100_000),
                LimitName.COST_MICROS_PER_DAY,
                cost("SATCHEL_MAX_USER_COST_PER_DAY"),
                LimitName.COST_MICROS_PER_MONTH,
                cost("SATCHEL_MAX_USER_COST_PER_MONTH"));
    }

    private Map<LimitName, Long> ofTenant(int maxRuns) {
        Map<LimitName, Long> limits = new EnumMap<>(LimitName.class);
        limits.put(
                LimitName.RUNS,
                (long)
                        settings.integer(
                                "SATCHEL_MAX_TENANT_RUNS",
                                Math.max(1, maxRuns * 3 / 4),
                                0,
                                100_000));
        limits.put(
                LimitName.STORED_BYTES,
                settings.number("SATCHEL_MAX_TENANT_BYTES", 50 * GIGABYTE, 0));
        limits.put(
                LimitName.STORED_FILES, settings.number("SATCHEL_MAX_TENANT_FILES", 1_000_000, 0));
        limits.put(
                LimitName.OPEN_UPLOADS,
                (long) settings.integer("SATCHEL_MAX_OPEN_UPLOADS", 100, 0, 100_000));
        limits.put(
                LimitName.REQUESTS_PER_SECOND,
                (long) settings.integer("SATCHEL_REQUESTS_PER_SECOND", 50, 0, 1_000_000));
        limits.put(
                LimitName.REQUEST_BURST,
                (long) settings.integer("SATCHEL_REQUEST_BURST", 200, 1, 1_000_000));
        limits.put(LimitName.COST_MICROS_PER_DAY, cost("SATCHEL_MAX_TENANT_COST_PER_DAY"));
        limits.put(LimitName.COST_MICROS_PER_MONTH, cost("SATCHEL_MAX_TENANT_COST_PER_MONTH"));
        return limits;
    }

    /** In whole units of the currency of the prices. */
    private long cost(String variable) {
        return (long) settings.integer(variable, 0, 0, Integer.MAX_VALUE) * MICROS;
    }
}
