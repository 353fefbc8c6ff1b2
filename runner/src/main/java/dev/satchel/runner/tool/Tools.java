package dev.satchel.runner.tool;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The tools an agent has, by name and by alias. */
public final class Tools {
    private final List<Tool> all;
    private final Map<String, Tool> byName = new LinkedHashMap<>();

    public Tools(List<Tool> tools) {
        all = List.copyOf(tools);
        for (Tool tool : all) {
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

    /** The tools every agent has unless told otherwise. */
    public static Tools standard() {
        return new Tools(
                List.of(
                        new ShellTool(),
                        new ViewTool(),
                        new GrepTool(Duration.ofSeconds(10)),
                        new GlobTool(),
                        new WriteTool(),
                        new EditTool(),
                        new StageAssetTool()));
    }

    /** Those that only read, for who has files and no sandbox. */
    public static Tools reading() {
        return new Tools(
                List.of(new ViewTool(), new GrepTool(Duration.ofSeconds(10)), new GlobTool()));
    }

    /** What a model is told, in a fixed order. */
    public List<ToolDescription> descriptions() {
        return all.stream().map(Tool::description).toList();
    }

    public Optional<Tool> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Calls a tool by name or alias; a name nobody answers to is a failed result. */
    public ToolResult call(String name, JsonNode arguments, ToolContext context)
            throws IOException, InterruptedException {
        Tool tool = byName.get(name);
        if (tool == null) {
            return ToolResult.failure("Unknown tool " + name + ". The tools are " + names() + ".");
        }
        return tool.call(arguments, context);
    }

    private String names() {
        return all.stream().map(t -> t.description().name()).collect(Collectors.joining(", "));
    }
}
