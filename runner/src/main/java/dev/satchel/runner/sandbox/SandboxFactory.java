package dev.satchel.runner.sandbox;

import java.io.IOException;
import java.util.Optional;

/** Opens sandboxes: bubblewrap on Linux, or, when an operator insists, no isolation at all. */
public interface SandboxFactory {
    /** Opens a sandbox for one run; whoever opens it closes it. */
    Sandbox open(SandboxSpec spec) throws IOException;

    /** What every run's trace says when isolation is missing or less than whole; else empty. */
    Optional<String> warning();
}
