package dev.satchel.runner.agent;

import dev.satchel.protocol.LogLevel;
import dev.satchel.tools.ToolResult;
import java.io.IOException;
import tools.jackson.databind.JsonNode;

/** Hears what an agent does while it does it. */
public interface StepListener {
    /** Runs the call as one step: announced before, settled after, its result handed back. */
    ToolResult step(String tool, JsonNode arguments, ToolCall call)
            throws IOException, InterruptedException;

    /** A piece of the answer as it grows. */
    void text(String delta) throws IOException;

    /** A diagnostic for the run's trace; never shown in the thread. */
    void log(LogLevel level, String message) throws IOException;
}
