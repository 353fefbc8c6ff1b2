package dev.satchel.runner.run;

/** The id of a run, which names a folder and a sandbox. */
public record SandboxRunId(String value) {
    public SandboxRunId {
        if (!WorkspaceId.isSafe(value)) {
            throw new IllegalArgumentException("not an id of letters, digits, dots and dashes");
        }
    }
}
