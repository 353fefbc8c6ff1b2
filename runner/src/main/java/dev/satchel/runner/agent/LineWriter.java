package dev.satchel.runner.agent;

import dev.satchel.protocol.SandboxLine;
import java.io.IOException;

/** Where the lines of a run go. */
@FunctionalInterface
public interface LineWriter {
    void write(SandboxLine line) throws IOException;
}
