package dev.satchel.http.response;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/** The value of the header Date, formatted once a second. May be shared between threads. */
public final class CurrentDate {
    /** As RFC 9110 has it: two digits for the day, and GMT. */
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC);

    private final AtomicReference<Formatted> last = new AtomicReference<>(format(0));

    private record Formatted(long second, String text) {}

    public String header() {
        long second = Instant.now().getEpochSecond();
        Formatted known = last.get();
        if (known.second() == second) {
            return known.text();
        }
        Formatted fresh = format(second);
        last.set(fresh);
        return fresh.text();
    }

    private static Formatted format(long second) {
        return new Formatted(second, FORMAT.format(Instant.ofEpochSecond(second)));
    }
}
