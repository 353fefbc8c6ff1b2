package dev.satchel.server.run;

import java.util.Locale;

public enum RunStatus {
    RUNNING,
    /** Holds its conversation until a person answers, and executes nothing meanwhile. */
    WAITING,
    SUCCEEDED,
    FAILED,
    /** Stopped by a call, or because the client disconnected. */
    CANCELLED,
    /** Its server died or was stopped. */
    INTERRUPTED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the run still holds its conversation. */
    public boolean isActive() {
        return this == RUNNING || this == WAITING;
    }

    static RunStatus of(String wireName) {
        return valueOf(wireName.toUpperCase(Locale.ROOT));
    }
}
