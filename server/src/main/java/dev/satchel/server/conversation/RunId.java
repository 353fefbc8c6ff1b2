package dev.satchel.server.run;

import java.util.UUID;
import java.util.regex.Pattern;

/** {@code sessionId} of the sandbox callbacks; unguessable. */
public record RunId(String value) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f-]{36}");

    public RunId {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not a run id");
        }
    }

    public static RunId random() {
        return new RunId(UUID.randomUUID().toString());
    }

    public static boolean isValid(String value) {
        return FORM.matcher(value).matches();
    }
}
