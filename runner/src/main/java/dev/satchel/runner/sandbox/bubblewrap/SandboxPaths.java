package dev.satchel.runner.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a run. On the host all files belong to the runner: a mapped mount shows them
 * with another owner. On a file system without mapped mounts they change their owner for the time
 * of the run.
 */
record SandboxPaths(
        Path workspace, Path scratch, Path original, boolean given, @Nullable Path skills) {

    /** Gives what the runner has written since the last command to the run's user. */
    void giveToRun(RunSlot slot) throws IOException {
        if (given) {
            FileOwnership.changeTree(original, slot.user());
        }
    }

    /** Must be called after all processes of the run have ended. */
    void returnToRunner(HostCapabilities host) throws IOException {
        if (given) {
            FileOwnership.changeTree(original, host.user());
        }
    }
}
