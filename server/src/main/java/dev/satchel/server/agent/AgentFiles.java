package dev.satchel.server.agent;

import dev.satchel.http.Fields;
import dev.satchel.protocol.Json;
import dev.satchel.protocol.RunConfig.McpServer;
import dev.satchel.server.agent.AgentRequest.DeployedFile;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * An agent as the files that clients of agent servers know: {@code CLAUDE.md} is its prompt, {@code
 * .mcp.json} its MCP servers. It has no others.
 */
final class AgentFiles {
    static final String PROMPT = "CLAUDE.md";
    static final String SERVERS = ".mcp.json";

    private static final String MCP_SERVERS = "mcpServers";

    private AgentFiles() {}

    /** The text of each file, by its path. */
    static Map<String, String> of(AgentSpec spec) {
        Map<String, String> files = new LinkedHashMap<>();
        if (!spec.mcpServers().isEmpty()) {
            files.put(
                    SERVERS,
                    Json.MAPPER
                            .writerWithDefaultPrettyPrinter()
                            .writeValueAsString(Map.of(MCP_SERVERS, spec.mcpServers())));
        }
        files.put(PROMPT, spec.systemPrompt());
        return files;
    }

    /** The agent that files describe; a file that it cannot have is refused. */
    static AgentSpec read(AgentSpec spec, List<DeployedFile> files) {
        AgentSpec read = spec;
        for (DeployedFile file : files) {
            String path = Fields.required("files.path", file.path());
            String text = text(path, file.content());
            read =
                    switch (path) {
                        case PROMPT -> read.with(read.name(), text, read.model());
                        case SERVERS -> read.withServers(servers(text));
                        default ->
                                throw Fields.invalid(
                                        "files",
                                        "has "
                                                + AgentSpec.shown(path)
                                                + ": an agent has CLAUDE.md and .mcp.json here;"
                                                + " other files are skills (/api/skills)");
                    };
        }
        return read;
    }

    private static String text(String path, @Nullable String content) {
        try {
            byte[] bytes = Base64.getDecoder().decode(Fields.required("files.content", content));
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Fields.invalid("files", "has " + path + ", whose content is not base64");
        }
    }

    private static Map<String, McpServer> servers(String text) {
        Map<String, McpServer> servers = new LinkedHashMap<>();
        try {
            JsonNode all = Json.MAPPER.readTree(text).path(MCP_SERVERS);
            all.properties()
                    .forEach(
                            server ->
                                    servers.put(
                                            server.getKey(),
                                            Objects.requireNonNull(typed(server.getValue()))));
        } catch (JacksonException e) {
            throw Fields.invalid("files", "has .mcp.json, which is not valid");
        }
        return servers;
    }

    /** Such a file names no type for a program. */
    private static McpServer typed(JsonNode server) {
        McpServer read = Json.MAPPER.treeToValue(server, McpServer.class);
        return new McpServer(
                read.command() == null ? McpServer.HTTP : McpServer.STDIO,
                read.url(),
                read.headers(),
                read.credential(),
                read.command(),
                read.args(),
                read.env());
    }
}
