package dev.satchel.server.credential;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.server.agent.Agent;
import dev.satchel.server.agent.AgentSpec;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A credential as JSON: everything but its value.
 *
 * @param agents the names of the agents whose MCP servers use it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record CredentialView(
        String name,
        String kind,
        @Nullable String problem,
        @Nullable Long expiresAt,
        @Nullable Long connectedAt,
        List<String> agents,
        long createdAt,
        long updatedAt) {

    record All(List<CredentialView> credentials) {}

    static CredentialView of(StoredCredential credential, List<Agent> all) {
        String name = credential.name().value();
        return new CredentialView(
                name,
                credential.kind().name().toLowerCase(Locale.ROOT),
                credential.problem(),
                credential.expiresAt(),
                credential.connectedAt(),
                users(name, all),
                credential.createdAt(),
                credential.updatedAt());
    }

    private static List<String> users(String name, List<Agent> agents) {
        return agents.stream()
                .map(Agent::spec)
                .filter(
                        spec ->
                                spec.mcpServers().values().stream()
                                        .anyMatch(
                                                server -> server.credentialNames().contains(name)))
                .map(AgentSpec::name)
                .toList();
    }
}
