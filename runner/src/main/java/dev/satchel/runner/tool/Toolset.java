package dev.satchel.runner.tool;

import dev.satchel.tools.GlobTool;
import dev.satchel.tools.Tool;
import dev.satchel.tools.ToolDescription;
import dev.satchel.tools.ToolResult;
import dev.satchel.tools.document.DocumentTextReader;
import dev.satchel.tools.grep.GrepTool;
import dev.satchel.tools.grep.Ripgrep;
import dev.satchel.tools.grep.RipgrepTool;
import dev.satchel.tools.view.ViewTool;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The tools of an agent, by name and by alias. With tools of other sources it belongs to one run
 * and to the thread of its loop.
 */
public final class Toolset {
    private static final Duration GREP_TIME = Duration.ofSeconds(10);

    /** The tools that change nothing, neither in the workspace nor elsewhere. */
    private static final Set<String> READING = Set.of("view", "grep", "glob", "list_assets");

    private final List<Tool<ToolContext>> own;
    private final DocumentTextReader documents;
    private final ToolSource others;
    private List<Tool<ToolContext>> all;
    private Map<String, Tool<ToolContext>> byName;

    public Toolset(List<Tool<ToolContext>> tools) {
        this(tools, DocumentTextReader.none("This agent reads no documents."), List::of);
    }

    private Toolset(
            List<Tool<ToolContext>> tools, DocumentTextReader documents, ToolSource others) {
        own = List.copyOf(tools);
        this.documents = documents;
        all = own;
        byName = byName(own);
        this.others = others;
    }

    private static Map<String, Tool<ToolContext>> byName(List<Tool<ToolContext>> tools) {
        Map<String, Tool<ToolContext>> byName = new LinkedHashMap<>();
        for (Tool<ToolContext> tool : tools) {
            ToolDescription description = tool.description();
            List<String> names = new ArrayList<>(description.aliases());
            names.add(description.name());
            for (String name : names) {
                if (byName.put(name, tool) != null) {
                    throw new IllegalArgumentException("two tools are called " + name);
                }
            }
        }
        return byName;
    }

    /** The same tools for one run, with those of a source after {@link #refresh}. */
    public Toolset with(ToolSource source) {
        return new Toolset(own, documents, source);
    }

    /** Reads the tools of the source again; for the moment before the model is asked. */
    public void refresh() throws IOException, InterruptedException {
        List<Tool<ToolContext>> together = new ArrayList<>(own);
        together.addAll(others.tools());
        if (!together.equals(all)) {
            byName = byName(together);
            all = List.copyOf(together);
        }
    }

    /** The tools of every agent; grep uses ripgrep where it is installed. */
    public static Toolset standard() {
        return standard(Ripgrep.find(), DocumentTextReader.none("Documents are not read here."));
    }

    public static Toolset standard(Optional<Ripgrep> ripgrep, DocumentTextReader documents) {
        return new Toolset(
                List.of(
                        new ShellTool(),
                        new ViewTool().on(context -> context.view(documents)),
                        grep(ripgrep, documents),
                        new GlobTool().on(ToolContext::readable),
                        new WriteTool(),
                        new EditTool(),
                        new ListAssetsTool(),
                        new StageAssetTool(),
                        new AskUserTool()),
                documents,
                List::of);
    }

    /** How the tools read documents. */
    public DocumentTextReader documents() {
        return documents;
    }

    /**
     * The tools of this set that an agent has.
     *
     * @param allowed names, or beginnings of names before {@code *}; null for all
     */
    public Toolset only(@Nullable List<String> allowed) {
        return allowed == null
                ? this
                : new Toolset(
                        allowed(own, allowed), documents, () -> allowed(others.tools(), allowed));
    }

    private static List<Tool<ToolContext>> allowed(
            List<Tool<ToolContext>> tools, List<String> allowed) {
        return tools.stream()
                .filter(tool -> isAllowed(tool.description().name(), allowed))
                .toList();
    }

    private static boolean isAllowed(String name, List<String> allowed) {
        return allowed.stream()
                .anyMatch(
                        entry ->
                                entry.endsWith("*")
                                        ? name.startsWith(entry.substring(0, entry.length() - 1))
                                        : name.equals(entry));
    }

    private static Tool<ToolContext> grep(Optional<Ripgrep> ripgrep, DocumentTextReader documents) {
        return ripgrep.isPresent()
                ? new RipgrepTool(ripgrep.get(), GREP_TIME)
                        .on(context -> context.ripgrep(documents))
                : new GrepTool(GREP_TIME).on(context -> context.grep(documents));
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
            return unknown(name);
        }
        return tool.call(arguments, context);
    }

    /** The result of a call of a tool that the agent does not have. */
    public ToolResult unknown(String name) {
        return ToolResult.failure(
                all.isEmpty()
                        ? "Unknown tool " + name + ". This agent has no tools."
                        : "Unknown tool " + name + ". The tools are " + names() + ".");
    }

    private String names() {
        return all.stream().map(t -> t.description().name()).collect(Collectors.joining(", "));
    }
}
