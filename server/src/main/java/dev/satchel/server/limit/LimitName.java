package dev.satchel.server.limit;

import java.util.Arrays;
import java.util.Optional;

/** The limits of a tenant or a user, by their names on the wire. */
public enum LimitName {
    /** Turns and headless runs that are executed at the same time. */
    RUNS("runs"),
    STORED_BYTES("storedBytes"),
    STORED_FILES("storedFiles"),
    OPEN_UPLOADS("openUploads"),
    REQUESTS_PER_SECOND("requestsPerSecond"),
    /** How many requests may come at once after a quiet time. */
    REQUEST_BURST("requestBurst"),
    COST_MICROS_PER_DAY("costMicrosPerDay"),
    COST_MICROS_PER_MONTH("costMicrosPerMonth");

    private final String wireName;

    LimitName(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /** Whether a user has such a limit beside that of the tenant. */
    boolean isOfUsers() {
        return this == RUNS || this == COST_MICROS_PER_DAY || this == COST_MICROS_PER_MONTH;
    }

    static Optional<LimitName> find(String wireName) {
        return Arrays.stream(values()).filter(name -> name.wireName.equals(wireName)).findFirst();
    }
}
