package dev.satchel.runner.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Opens sandboxes: with bubblewrap, or without isolation if the operator asks for it. */
public interface SandboxFactory {
    /** The programs of this machine. */
    Path HOST = Path.of("/");

    /** Opens a sandbox for one run; the caller closes it. */
    Sandbox open(SandboxSpec spec) throws IOException;

    /** The directory whose programs commands see: that of the host, or a prepared one. */
    default Path root() {
        return HOST;
    }

    /**
     * Whether the memory, the processes and the processor time of a whole run are limited, so that
     * it cannot take those of other runs.
     */
    default boolean limitsRuns() {
        return false;
    }

    /** The warning in every run's trace when isolation is missing or incomplete; else empty. */
    Optional<String> warning();
}
