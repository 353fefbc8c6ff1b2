package dev.satchel.runner.sandbox;

import dev.satchel.protocol.SandboxLine.Output;

/**
 * Hears what a command prints, while it runs, on the threads that read its output: it must return
 * quickly. The bytes may end within a character.
 */
@FunctionalInterface
public interface OutputListener {
    OutputListener NONE = (_, _, _) -> {};

    /** The first {@code length} bytes; the array is used again afterwards. */
    void output(Output.Stream stream, byte[] bytes, int length);
}
