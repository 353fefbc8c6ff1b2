package dev.satchel.runner.agent;

import dev.satchel.tools.ToolResult;
import java.io.IOException;

/** The work of one step. */
@FunctionalInterface
public interface ToolCall {
    ToolResult run() throws IOException, InterruptedException;
}
