package dev.satchel.runner.sandbox;

import java.io.IOException;

/** Opens sandboxes: bubblewrap on Linux, or, when an operator insists, no isolation at all. */
public interface Sandboxes {
    /** Opens a sandbox for one run; whoever opens it closes it. */
    Sandbox open(SandboxSpec spec) throws IOException;

    /** What a run's trace says when this gives no isolation; empty when it does. */
    java.util.Optional<String> warning();
}
