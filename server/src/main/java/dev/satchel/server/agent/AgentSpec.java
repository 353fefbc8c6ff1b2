package dev.satchel.server.agent;

import dev.satchel.http.Fields;
import dev.satchel.protocol.RunConfig;
import dev.satchel.server.skill.SkillName;
import dev.satchel.tools.ToolNames;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values of an agent; an invalid one is refused with the name of its field.
 *
 * @param tools the names of the tools that the agent has; null for all
 * @param skills the names of its skills, of which a run uses the newest versions
 * @param notes what its clients store with it
 * @param maxRounds {@link #DEFAULT_ROUNDS} for the setting of the server
 */
public record AgentSpec(
        String name,
        String systemPrompt,
        AgentModel model,
        Map<String, String> variables,
        String script,
        int maxRounds,
        List<String> allowedHosts,
        @Nullable List<String> tools,
        Map<String, String> permissions,
        Map<String, RunConfig.McpServer> mcpServers,
        List<String> skills,
        AgentNotes notes) {

    /** The agent names no number of rounds. */
    static final int DEFAULT_ROUNDS = 0;

    private static final int MAX_NAME = 100;
    private static final int MAX_TEXT = 100_000;
    private static final int MAX_VARIABLES = 100;
    private static final int MAX_VALUE = 32_768;
    private static final int MAX_ROUNDS = 1_000;
    private static final int MAX_HOSTS = 100;
    private static final int MAX_HOST = 260;
    private static final int MAX_PERMISSIONS = 100;
    private static final int MAX_TOOLS = 256;
    private static final int MAX_SKILLS = 50;
    private static final Set<String> PERMISSIONS = Set.of("allow", "ask", "deny");

    /** A name of a tool, or the beginning of one before a star. */
    private static final Pattern TOOL = Pattern.compile("[A-Za-z0-9_.:/-]{0,200}\\*?");

    private static final Pattern MCP_TOOL =
            Pattern.compile("mcp:[A-Za-z0-9_.-]{1,64}:([A-Za-z0-9_./-]{1,128}|\\*)");

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final Pattern HOST =
            Pattern.compile(
                    "((\\*\\.)?([a-z0-9_-]{1,63}\\.)*[a-z0-9_-]{1,63}|\\[[0-9a-f:.]{2,45}])"
                            + "(:[0-9]{1,5})?");

    public AgentSpec {
        name = Normalizer.normalize(Fields.text("name", name, MAX_NAME), Normalizer.Form.NFC);
        name = name.strip();
        Fields.atMost("systemPrompt", systemPrompt, MAX_TEXT);
        Fields.atMost("script", script, MAX_TEXT);
        if (maxRounds != DEFAULT_ROUNDS) {
            rounds(maxRounds);
        }
        variables = variables("variables", variables);
        if (allowedHosts.size() > MAX_HOSTS) {
            throw Fields.invalid("allowedHosts", "has more than " + MAX_HOSTS + " entries");
        }
        allowedHosts = allowedHosts.stream().map(AgentSpec::host).distinct().toList();
        tools = tools == null ? null : tools(tools);
        permissions = permissions(permissions);
        mcpServers = McpServerValidator.validated(mcpServers);
        skills = skills == null ? List.of() : skills(skills); // absent in rows of earlier versions
        notes = notes == null ? AgentNotes.NONE : notes; // absent there too
    }

    /** A number of rounds that a caller named. */
    static int rounds(int named) {
        if (named < 1 || named > MAX_ROUNDS) {
            throw Fields.invalid("maxRounds", "must be 1 to " + MAX_ROUNDS);
        }
        return named;
    }

    /** The same agent with the number of rounds of the server's setting. */
    AgentSpec withDefaultRounds() {
        return new AgentSpec(
                name,
                systemPrompt,
                model,
                variables,
                script,
                DEFAULT_ROUNDS,
                allowedHosts,
                tools,
                permissions,
                mcpServers,
                skills,
                notes);
    }

    /** The same agent with what clients store with it. */
    AgentSpec with(AgentNotes others) {
        return new AgentSpec(
                name,
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                tools,
                permissions,
                mcpServers,
                skills,
                others);
    }

    /** The same agent with other MCP servers. */
    AgentSpec withServers(Map<String, RunConfig.McpServer> servers) {
        return new AgentSpec(
                name,
                systemPrompt,
                model,
                variables,
                script,
                maxRounds,
                allowedHosts,
                tools,
                permissions,
                servers,
                skills,
                notes);
    }

    /** The same agent with another name, prompt and model. */
    AgentSpec with(String newName, String newPrompt, AgentModel newModel) {
        return new AgentSpec(
                newName,
                newPrompt,
                newModel,
                variables,
                script,
                maxRounds,
                allowedHosts,
                tools,
                permissions,
                mcpServers,
                skills,
                notes);
    }

    private static List<String> tools(List<String> given) {
        if (given.size() > MAX_TOOLS) {
            throw Fields.invalid("tools", "has more than " + MAX_TOOLS + " entries");
        }
        for (String tool : given) {
            if (tool == null
                    || (!ToolNames.OF_THE_LOOP.contains(tool)
                            && !MCP_TOOL.matcher(tool).matches())) {
                throw Fields.invalid(
                        "tools",
                        "has "
                                + (tool == null ? "null" : shown(tool))
                                + ", which is not a tool; known are "
                                + String.join(", ", ToolNames.OF_THE_LOOP)
                                + ", and mcp:<server>:<tool> or mcp:<server>:* of its MCP servers");
            }
        }
        return given.stream().distinct().toList();
    }

    private static List<String> skills(List<String> given) {
        if (given.size() > MAX_SKILLS) {
            throw Fields.invalid("skills", "has more than " + MAX_SKILLS + " entries");
        }
        for (String skill : given) {
            if (skill == null || !SkillName.isValid(skill)) {
                throw Fields.invalid(
                        "skills",
                        "has "
                                + (skill == null ? "null" : shown(skill))
                                + ", which is not a name of a skill: "
                                + SkillName.RULE);
            }
        }
        return given.stream().distinct().toList();
    }

    private static Map<String, String> permissions(Map<String, String> given) {
        if (given.size() > MAX_PERMISSIONS) {
            throw Fields.invalid("permissions", "has more than " + MAX_PERMISSIONS + " entries");
        }
        given.forEach(
                (tool, permission) -> {
                    String at = "permissions." + shown(tool);
                    if (tool.isEmpty() || !TOOL.matcher(tool).matches()) {
                        throw Fields.invalid(
                                at, "is not the name of a tool, or a beginning of one with * last");
                    }
                    if (!PERMISSIONS.contains(Fields.required(at, permission))) {
                        throw Fields.invalid(at, "must be allow, ask or deny");
                    }
                });
        return Map.copyOf(given);
    }

    /** Environment variables of a sandbox; an invalid one is refused with the name of its field. */
    public static Map<String, String> variables(String field, Map<String, String> given) {
        if (given.size() > MAX_VARIABLES) {
            throw Fields.invalid(field, "has more than " + MAX_VARIABLES + " entries");
        }
        given.forEach(
                (name, value) -> {
                    if (!VARIABLE.matcher(name).matches()) {
                        throw Fields.invalid(
                                field + "." + shown(name),
                                "is not a variable name: letters, digits and _, no digit first");
                    }
                    String at = field + "." + name;
                    Fields.atMost(at, Fields.required(at, value), MAX_VALUE);
                });
        return Map.copyOf(given);
    }

    /** MCP servers; an invalid one is refused with the name of its field. */
    public static Map<String, RunConfig.McpServer> mcpServers(
            Map<String, RunConfig.McpServer> given) {
        return McpServerValidator.validated(given);
    }

    private static String host(String text) {
        String host = Fields.text("allowedHosts", text, MAX_HOST).toLowerCase(Locale.ROOT);
        if (!HOST.matcher(host).matches()) {
            throw Fields.invalid(
                    "allowedHosts",
                    "has " + shown(host) + ", which is not a host, *.suffix or address");
        }
        return host;
    }

    static String shown(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
