package dev.satchel.server.run;

import java.util.Locale;

public enum RunStatus {
    RUNNING,
    /** It has asked a person and is continued when the answers are there. */
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
