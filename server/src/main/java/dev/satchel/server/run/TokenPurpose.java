package dev.satchel.server.run;

import java.util.Locale;

/** The callback that a one-time token authorizes. */
public enum TokenPurpose {
    SETUP,
    RUN,
    UPLOAD;

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
