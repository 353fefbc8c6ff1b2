package dev.satchel.runner.tool;

import dev.satchel.tools.GlobTool;
import dev.satchel.tools.Tool;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import dev.satchel.tools.ViewTool;
import dev.satchel.tools.grep.GrepTool;
import dev.satchel.tools.grep.Ripgrep;
import dev.satchel.tools.grep.RipgrepTool;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The tools of an agent, by name and by alias. */
public final class Toolset {
    private static final Duration GREP_TIME = Duration.ofSeconds(10);

    /** The tools that change nothing, neither in the workspace nor elsewhere. */
    private static final Set<String> READING = Set.of("view", "grep", "glob", "list_assets");

    private final List<Tool<ToolContext>> all;
    private final Map<String, Tool<ToolContext>> byName = new LinkedHashMap<>();

    public Toolset(List<Tool<ToolContext>> tools) {
        all = List.copyOf(tools);
        for (Tool<ToolContext> tool : all) {
            ToolDescription description = tool.description();
            List<String> names = new ArrayList<>(description.aliases());
            names.add(description.name());
            for (String name : names) {
                if (byName.put(name, tool) != null) {
                    throw new IllegalArgumentException("two tools are called " + name);
                }
            }
        }
    }

    /** The tools of every agent; grep uses ripgrep where it is installed. */
    public static Toolset standard() {
        return standard(Ripgrep.find());
    }

    static Toolset standard(Optional<Ripgrep> ripgrep) {
        return new Toolset(
                List.of(
                        new ShellTool(),
                        new ViewTool().on(ToolContext::view),
                        grep(ripgrep),
                        new GlobTool().on(ToolContext::workspace),
                        new WriteTool(),
                        new EditTool(),
                        new ListAssetsTool(),
                        new StageAssetTool(),
                        new AskUserTool()));
    }

    private static Tool<ToolContext> grep(Optional<Ripgrep> ripgrep) {
        return ripgrep.isPresent()
                ? new RipgrepTool(ripgrep.get(), GREP_TIME).on(ToolContext::ripgrep)
                : new GrepTool(GREP_TIME).on(ToolContext::workspace);
    }

    /** The descriptions for a model, in a fixed order. */
    public List<ToolDescription> descriptions() {
        return all.stream().map(Tool::description).toList();
    }

    public Optional<Tool<ToolContext>> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Whether calls of this tool may run at the same time. */
    public boolean onlyReads(String name) {
        Tool<ToolContext> tool = byName.get(name);
        return tool != null && READING.contains(tool.description().name());
    }

    /** Calls a tool by name or alias; an unknown name is a failed result. */
    public ToolResult call(String name, JsonNode arguments, ToolContext context)
            throws IOException, InterruptedException {
        Tool<ToolContext> tool = byName.get(name);
        if (tool == null) {
            return ToolResult.failure("Unknown tool " + name + ". The tools are " + names() + ".");
        }
        return tool.call(arguments, context);
    }

    private String names() {
        return all.stream().map(t -> t.description().name()).collect(Collectors.joining(", "));
    }
}
