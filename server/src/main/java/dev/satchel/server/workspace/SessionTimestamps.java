package dev.satchel.server.workspace;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Times on the session routes: always three digits after the second, for clients compare texts. By
 * hand, because a listing has thousands of them.
 */
public final class SessionTimestamps {
    private static final DateTimeFormatter MILLISECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final String FORM = "0000-00-00T00:00:00.000Z";
    private static final int LAST_PLAIN_YEAR = 9999;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private SessionTimestamps() {}

    public static String of(Instant instant) {
        LocalDateTime time =
                LocalDateTime.ofEpochSecond(
                        instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC);
        if (time.getYear() < 0 || time.getYear() > LAST_PLAIN_YEAR) {
            return MILLISECONDS.format(instant); // nobody's file is that old or new
        }
        byte[] text = FORM.getBytes(StandardCharsets.ISO_8859_1);
        digits(text, 3, time.getYear());
        digits(text, 6, time.getMonthValue());
        digits(text, 9, time.getDayOfMonth());
        digits(text, 12, time.getHour());
        digits(text, 15, time.getMinute());
        digits(text, 18, time.getSecond());
        digits(text, 22, time.getNano() / NANOS_PER_MILLI);
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    public static String ofMillis(long millis) {
        return of(Instant.ofEpochMilli(millis));
    }

    /** Right-aligned over the zeros of the form. */
    private static void digits(byte[] text, int last, int value) {
        int rest = value;
        for (int at = last; rest > 0; at--) {
            text[at] += (byte) (rest % 10);
            rest /= 10;
        }
    }
}
