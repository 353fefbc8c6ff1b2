package dev.satchel.runner.run;

import java.util.regex.Pattern;

/** The id of a conversation, also the name of its workspace. */
public record WorkspaceId(String value) {
    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

    public WorkspaceId {
        if (!isSafe(value)) {
            throw new IllegalArgumentException("not an id of letters, digits, dots and dashes");
        }
    }

    static boolean isSafe(String value) {
        return SAFE.matcher(value).matches();
    }
}
