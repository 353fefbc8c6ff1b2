package dev.satchel.http;

import dev.satchel.http.security.Secrets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Gives a request its id: the one that its client sent, if that is safe to log, or a new one. */
final class RequestIds {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int RANDOM_BYTES = 12;

    private RequestIds() {}

    static String of(@Nullable String given) {
        if (given != null && ALLOWED.matcher(given).matches()) {
            return given;
        }
        return Secrets.randomHex(RANDOM_BYTES);
    }
}
