package dev.satchel.server.run;

import java.util.Locale;

public enum RunStatus {
    RUNNING,
    SUCCEEDED,
    FAILED,
    /** Somebody stopped it: a call, or the browser going away. */
    CANCELLED,
    /** Its server died or was stopped under it. */
    INTERRUPTED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static RunStatus of(String wireName) {
        return valueOf(wireName.toUpperCase(Locale.ROOT));
    }
}
