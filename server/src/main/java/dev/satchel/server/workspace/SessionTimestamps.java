package dev.satchel.server.workspace;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Times on the session routes. They always have three digits after the second, since clients
 * compare them as texts. Formatted by hand, since a listing has thousands of them.
 */
public final class SessionTimestamps {
    private static final DateTimeFormatter MILLISECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private static final String TEMPLATE = "0000-00-00T00:00:00.000Z";
    private static final int MAX_FOUR_DIGIT_YEAR = 9999;
    private static final int NANOS_PER_MILLI = 1_000_000;

    private SessionTimestamps() {}

    public static String of(Instant instant) {
        LocalDateTime time =
                LocalDateTime.ofEpochSecond(
                        instant.getEpochSecond(), instant.getNano(), ZoneOffset.UTC);
        if (time.getYear() < 0 || time.getYear() > MAX_FOUR_DIGIT_YEAR) {
            return MILLISECONDS.format(instant); // rare, so it may be slow
        }
        byte[] text = TEMPLATE.getBytes(StandardCharsets.ISO_8859_1);
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

    /** Writes digits over the zeros of the template, ending at {@code last}. */
    private static void digits(byte[] text, int last, int value) {
        int rest = value;
        for (int at = last; rest > 0; at--) {
            text[at] += (byte) (rest % 10);
            rest /= 10;
        }
    }
}
