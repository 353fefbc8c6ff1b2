package dev.satchel.runner.run;

/** The id of a run, which names a folder and a sandbox. */
public record RunId(String value) {
    public RunId {
        if (!ConversationId.isSafe(value)) {
            throw new IllegalArgumentException("not an id of letters, digits, dots and dashes");
        }
    }
}
