package dev.satchel.server.conversation;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The id of a run, {@code sessionId} in the sandbox callbacks; not guessable. It is declared here
 * because a conversation names the run that locks it, and package {@code run} depends on this one.
 */
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
