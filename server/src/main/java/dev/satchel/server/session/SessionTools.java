package dev.satchel.server.session;

import dev.satchel.tools.ToolNames;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tools that a client of an agent server names, with the names of this server. Tools that no agent
 * here has are left out: to allow or refuse them changes nothing.
 *
 * @param names those of the loop, {@code mcp:server:tool}, and {@code mcp:server:*} for all tools
 *     of a server
 */
record SessionTools(List<String> names) {
    private static final Map<String, String> OF_THEIR_SDK =
            Map.ofEntries(
                    Map.entry("Bash", "sh"),
                    Map.entry("Read", "view"),
                    Map.entry("Write", "write"),
                    Map.entry("Edit", "edit"),
                    Map.entry("MultiEdit", "edit"),
                    Map.entry("NotebookEdit", "edit"),
                    Map.entry("Glob", "glob"),
                    Map.entry("LS", "glob"),
                    Map.entry("Grep", "grep"),
                    Map.entry("AskUserQuestion", "ask_user"));

    private static final Pattern THEIR_MCP_TOOL =
            Pattern.compile("mcp__(?<server>[A-Za-z0-9_.-]+?)(__(?<tool>[A-Za-z0-9_./-]+|\\*))?");

    private static final Pattern MCP_TOOL =
            Pattern.compile("mcp:[A-Za-z0-9_.-]{1,64}:([A-Za-z0-9_./-]{1,128}|\\*)");

    static SessionTools of(List<String> given) {
        Set<String> names = new LinkedHashSet<>();
        given.forEach(name -> here(name).ifPresent(names::add));
        return new SessionTools(List.copyOf(names));
    }

    private static Optional<String> here(String name) {
        if (ToolNames.OF_THE_LOOP.contains(name) || MCP_TOOL.matcher(name).matches()) {
            return Optional.of(name);
        }
        Matcher theirs = THEIR_MCP_TOOL.matcher(name);
        if (theirs.matches()) {
            String tool = Optional.ofNullable(theirs.group("tool")).orElse("*");
            return Optional.of("mcp:" + theirs.group("server") + ":" + tool);
        }
        return Optional.ofNullable(OF_THEIR_SDK.get(name));
    }

    /** Whether a name, or the beginning of names with a star, is one of these or below one. */
    boolean covers(String tool) {
        return names.stream()
                .anyMatch(
                        name ->
                                name.equals(tool)
                                        || (name.endsWith("*")
                                                && tool.startsWith(
                                                        name.substring(0, name.length() - 1))));
    }

    /** Those of these that an agent with these tools has, or its tools below one of these. */
    List<String> amongOf(List<String> tools) {
        SessionTools agents = new SessionTools(tools);
        Set<String> both = new LinkedHashSet<>();
        names.stream().filter(agents::covers).forEach(both::add);
        tools.stream().filter(this::covers).forEach(both::add);
        return List.copyOf(both);
    }

    List<String> without(List<String> tools) {
        return tools.stream().filter(tool -> !covers(tool)).toList();
    }
}
