package dev.satchel.runner.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Where a run's commands find their files. On the host all of them belong to the runner: by a
 * mapped mount, or, on a file system that knows none, by giving them to the run's user and taking
 * them back.
 */
record SandboxPaths(Path workspace, Path scratch, Path original, boolean given) {

    /** Hands over what the runner has written since the last command. */
    void beforeCommand(RunSlot slot) throws IOException {
        if (given) {
            FileOwnership.give(original, slot.user());
        }
    }

    /** Only when no process of the run lives any more. */
    void takeBack(HostCapabilities host) throws IOException {
        if (given) {
            FileOwnership.give(original, host.user());
        }
    }
}
