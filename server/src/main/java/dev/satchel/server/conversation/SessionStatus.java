package dev.satchel.server.conversation;

import java.util.Locale;

/** The status of a session. A sandbox exists for one turn only, so no status includes one. */
public enum SessionStatus {
    ACTIVE,
    PAUSED,
    STOPPED,
    ENDED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static SessionStatus of(String wireName) {
        return valueOf(wireName.toUpperCase(Locale.ROOT));
    }
}
