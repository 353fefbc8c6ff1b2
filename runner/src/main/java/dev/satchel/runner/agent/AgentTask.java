package dev.satchel.runner.agent;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.RunConfig;
import dev.satchel.runner.approval.ToolPermissions;
import dev.satchel.runner.tool.ToolContext;
import dev.satchel.runner.tool.Toolset;
import dev.satchel.tools.ImageLoader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The prompt of an agent and what it may use. {@code files} are files of the bag, which are at the
 * root of the workspace; {@code moreFiles} says that there are more of them than these; {@code
 * streamText} asks for the answer in pieces while the model writes it.
 */
public record AgentTask(
        String prompt,
        List<ChatTurn> history,
        @Nullable String systemPrompt,
        int maxRounds,
        List<RunConfig.File> files,
        boolean moreFiles,
        Toolset tools,
        ToolContext context,
        boolean streamText,
        ToolPermissions permissions,
        List<RunConfig.Skill> skills) {
    public AgentTask {
        history = List.copyOf(history);
        files = List.copyOf(files);
        skills = List.copyOf(skills);
    }

    /** A task in which every tool is allowed. */
    public AgentTask(
            String prompt,
            List<ChatTurn> history,
            @Nullable String systemPrompt,
            int maxRounds,
            List<RunConfig.File> files,
            boolean moreFiles,
            Toolset tools,
            ToolContext context,
            boolean streamText) {
        this(
                prompt,
                history,
                systemPrompt,
                maxRounds,
                files,
                moreFiles,
                tools,
                context,
                streamText,
                ToolPermissions.ALLOW_ALL,
                List.of());
    }

    /** The same task with images as a model takes them. */
    AgentTask showing(ImageLoader images) {
        return new AgentTask(
                prompt,
                history,
                systemPrompt,
                maxRounds,
                files,
                moreFiles,
                tools,
                context.showing(images),
                streamText,
                permissions,
                skills);
    }
}
