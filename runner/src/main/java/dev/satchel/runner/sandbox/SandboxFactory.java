package dev.satchel.runner.sandbox;

import java.io.IOException;
import java.util.Optional;

/** Opens sandboxes: with bubblewrap, or without isolation if the operator asks for it. */
public interface SandboxFactory {
    /** Opens a sandbox for one run; the caller closes it. */
    Sandbox open(SandboxSpec spec) throws IOException;

    /** The warning in every run's trace when isolation is missing or incomplete; else empty. */
    Optional<String> warning();
}
