package dev.satchel.runner.tool;

import dev.satchel.tools.Tool;
import java.io.IOException;
import java.util.List;

/** Tools of one run that may change while it runs; their names differ from all others. */
@FunctionalInterface
public interface ToolSource {
    List<Tool<ToolContext>> tools() throws IOException, InterruptedException;
}
