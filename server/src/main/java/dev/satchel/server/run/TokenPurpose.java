package dev.satchel.server.run;

import java.util.Locale;

/** What a one-time token opens, and only that. */
public enum TokenPurpose {
    SETUP,
    RUN,
    UPLOAD;

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
