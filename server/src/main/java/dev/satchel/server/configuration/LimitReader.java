package dev.satchel.server.configuration;

import dev.satchel.server.limit.LimitDefaults;
import dev.satchel.server.limit.LimitName;
import java.util.EnumMap;
import java.util.Map;

/** Reads the limits of tenants and users for whom the operator has set none. */
final class LimitReader {
    private final SettingsReader settings;

    LimitReader(SettingsReader settings) {
        this.settings = settings;
    }

    LimitDefaults read() {
        int maxRuns = settings.integer("SATCHEL_MAX_RUNS", 16, 1, 10_000);
        return new LimitDefaults(
                maxRuns,
                settings.integer("SATCHEL_MAX_WAITING_RUNS", 1_000, 1, 10_000),
                ofTenant(maxRuns),
                ofUser(maxRuns));
    }

    private Map<LimitName, Long> ofUser(int maxRuns) {
        return Map.of(
                LimitName.RUNS,
                (long)
                        settings.integer(
                                "SATCHEL_MAX_USER_RUNS", Math.max(1, maxRuns / 2), 0, 100_000));
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
        return limits;
    }
}
