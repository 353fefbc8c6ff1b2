package dev.satchel.runner.agent;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.Toolset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an agent is asked, and what it may use: {@code files} is the bag, which lies at the root of
 * the workspace; {@code streamText} says that someone reads the answer as it grows.
 */
public record AgentTask(
        String prompt,
        List<ChatTurn> history,
        @Nullable String systemPrompt,
        int maxRounds,
        List<RunConfig.File> files,
        Toolset tools,
        ToolContext context,
        boolean streamText) {
    public AgentTask {
        history = List.copyOf(history);
        files = List.copyOf(files);
    }
}
