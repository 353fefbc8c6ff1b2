package dev.satchel.server.limit;

import java.util.Arrays;
import java.util.Optional;

/** The limits of a tenant or a user, by their names on the wire. */
public enum LimitName {
    /** Turns and headless runs that are executed at the same time. */
    RUNS("runs");

    private final String wireName;

    LimitName(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    static Optional<LimitName> find(String wireName) {
        return Arrays.stream(values()).filter(name -> name.wireName.equals(wireName)).findFirst();
    }
}
