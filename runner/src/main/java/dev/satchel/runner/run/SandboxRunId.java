package dev.satchel.runner.run;

/** The id of a run, also the name of its directory and sandbox. */
public record SandboxRunId(String value) {
    public SandboxRunId {
        if (!WorkspaceId.isSafe(value)) {
            throw new IllegalArgumentException("not an id of letters, digits, dots and dashes");
        }
    }
}
