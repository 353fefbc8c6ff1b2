package dev.satchel.server.workspace;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times on the session routes: always three digits after the second, for clients compare texts. */
public final class Timestamps {
    private static final DateTimeFormatter MILLISECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private Timestamps() {}

    public static String of(Instant instant) {
        return MILLISECONDS.format(instant);
    }

    public static String ofMillis(long millis) {
        return of(Instant.ofEpochMilli(millis));
    }
}
