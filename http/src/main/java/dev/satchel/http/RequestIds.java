package dev.satchel.http;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A request keeps the id its caller gave it, when that is harmless to log; else it gets one. */
final class RequestIds {
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private RequestIds() {}

    static String of(@Nullable String given) {
        if (given != null && HARMLESS.matcher(given).matches()) {
            return given;
        }
        byte[] bytes = new byte[12];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
