package dev.satchel.server.agent;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.satchel.http.Fields;
import dev.satchel.protocol.RunConfig;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The body of {@code POST /api/agents} and {@code PUT /api/agents/{id}}: only the name is required.
 * A {@code path} is sent by clients of agent servers. The fields that only the server sets may be
 * sent back as they were read.
 */
@JsonIgnoreProperties({"id", "workspaceId", "tenantId", "version", "createdAt", "updatedAt"})
record AgentRequest(
        @Nullable String name,
        @Nullable String systemPrompt,
        @Nullable Model model,
        @Nullable Map<String, String> variables,
        @Nullable String script,
        @Nullable Integer maxRounds,
        @Nullable List<String> allowedHosts,
        @Nullable List<String> tools,
        @Nullable Map<String, String> permissions,
        @Nullable Map<String, RunConfig.McpServer> mcpServers,
        @Nullable List<String> skills,
        @Nullable String description,
        @Nullable JsonNode config,
        @Nullable String path,
        @Nullable List<DeployedFile> files,
        @JsonAnySetter Map<String, JsonNode> otherFields) {

    private static final int MAX_PATH = 4_096;

    AgentRequest {
        if (path != null) {
            Fields.atMost("path", path, MAX_PATH);
        }
        otherFields = otherFields == null ? Map.of() : Map.copyOf(otherFields);
    }

    /**
     * The id of a model of the registry, which is sent as a text, or a description. A key is
     * refused, so that a caller does not expect it to be stored.
     */
    record Model(
            @JsonIgnore @Nullable String id,
            @Nullable String provider,
            @Nullable String name,
            @Nullable String baseUrl,
            @Nullable JsonNode apiKey) {
        Model {
            if (apiKey != null && !apiKey.isNull()) {
                throw Fields.invalid("model.apiKey", "is never stored: keys belong to the runner");
            }
        }

        @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
        Model(
                @JsonProperty("provider") @Nullable String provider,
                @JsonProperty("name") @Nullable String name,
                @JsonProperty("baseUrl") @Nullable String baseUrl,
                @JsonProperty("apiKey") @JsonAlias("api_key") @Nullable JsonNode apiKey) {
            this(null, provider, name, baseUrl, apiKey);
        }

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        static Model ofRegistry(String id) {
            return new Model(id, null, null, null, null);
        }

        AgentModel value() {
            return new AgentModel(id, provider, name, baseUrl);
        }
    }

    /** Whether a client of agent servers deploys the agent. */
    boolean isDeployment() {
        return path != null || files != null;
    }

    AgentSpec spec() {
        if (!otherFields.isEmpty()) {
            throw Fields.unknown(otherFields.keySet().iterator().next());
        }
        return lenientSpec();
    }

    /** Ignores unknown fields, for clients of agent servers. */
    AgentSpec lenientSpec() {
        return new AgentSpec(
                Fields.required("name", name),
                Objects.requireNonNullElse(systemPrompt, ""),
                model == null ? AgentModel.DEFAULT : model.value(),
                Objects.requireNonNullElse(variables, Map.of()),
                Objects.requireNonNullElse(script, ""),
                maxRounds == null ? AgentSpec.DEFAULT_ROUNDS : AgentSpec.rounds(maxRounds),
                Objects.requireNonNullElse(allowedHosts, List.of()),
                tools,
                Objects.requireNonNullElse(permissions, Map.of()),
                Objects.requireNonNullElse(mcpServers, Map.of()),
                Objects.requireNonNullElse(skills, List.of()),
                new AgentNotes(description, config));
    }

    /** Ignores unknown fields, and reads what the agent's files say. */
    AgentSpec deployedSpec() {
        AgentSpec spec = lenientSpec();
        return files == null ? spec : AgentFiles.read(spec, files);
    }

    /** A file of the source of an agent; its content is base64. */
    record DeployedFile(@Nullable String path, @Nullable String content) {}
}
