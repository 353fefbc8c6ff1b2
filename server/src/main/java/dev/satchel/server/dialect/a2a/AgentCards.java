package dev.satchel.server.dialect.a2a;

import dev.satchel.server.access.Caller;
import dev.satchel.server.agent.Agent;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.agent.AgentService;
import dev.satchel.server.dialect.JsonObjects;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What other agents read of the agents here. The card of the default agent is open to everybody, so
 * it says nothing of a tenant.
 */
public final class AgentCards {
    private static final String ABOUT =
            "Works on files with a shell, in a sandbox of its own, and returns the files that it makes.";

    private final AgentService agents;
    private final Supplier<URI> publicUrl;
    private final String version;

    public AgentCards(AgentService agents, Supplier<URI> publicUrl, String version) {
        this.agents = agents;
        this.publicUrl = publicUrl;
        this.version = version;
    }

    Map<String, Object> standard() {
        return card("Satchel", "/a2a");
    }

    /** The card of one agent of the caller. */
    Map<String, Object> of(Caller caller, String id) {
        if (!AgentId.isValid(id)) {
            throw AgentService.noSuchAgent();
        }
        Agent agent = agents.get(caller, new AgentId(id));
        return card(agent.spec().name(), "/a2a/agents/" + id);
    }

    private Map<String, Object> card(String name, String path) {
        List<String> modes = List.of("text/plain", "application/octet-stream");
        return JsonObjects.of(
                "name",
                name,
                "description",
                ABOUT,
                "version",
                version,
                "supportedInterfaces",
                List.of(
                        JsonObjects.of(
                                "url",
                                publicUrl.get() + path,
                                "protocolBinding",
                                "JSONRPC",
                                "protocolVersion",
                                "1.0")),
                "capabilities",
                JsonObjects.of("streaming", true, "pushNotifications", false),
                "securitySchemes",
                Map.of("key", Map.of("httpAuthSecurityScheme", Map.of("scheme", "Bearer"))),
                "securityRequirements",
                List.of(Map.of("schemes", Map.of("key", Map.of("list", List.of())))),
                "defaultInputModes",
                modes,
                "defaultOutputModes",
                modes,
                "skills",
                List.of(
                        JsonObjects.of(
                                "id",
                                "files",
                                "name",
                                name,
                                "description",
                                ABOUT,
                                "tags",
                                List.of("files"))));
    }
}
