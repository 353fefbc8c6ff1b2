package dev.satchel.server.session;

import java.util.Locale;

/** Where a session stands. A sandbox is made per turn, so none of these holds one. */
public enum SessionStatus {
    ACTIVE,
    PAUSED,
    STOPPED,
    ENDED;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    static SessionStatus of(String wireName) {
        return valueOf(wireName.toUpperCase(Locale.ROOT));
    }
}
