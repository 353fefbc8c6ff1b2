package dev.satchel.runner.agent;

import dev.satchel.protocol.SandboxLine;
import java.io.IOException;

/** Receives the lines of a run. */
@FunctionalInterface
public interface LineWriter {
    void write(SandboxLine line) throws IOException;
}
