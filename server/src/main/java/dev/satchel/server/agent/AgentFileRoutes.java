package dev.satchel.server.agent;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.Router;
import dev.satchel.http.SatchelException;
import dev.satchel.server.access.Authentication;
import dev.satchel.server.access.Caller;
import dev.satchel.server.access.Permission;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code /api/agents/{id}/files}: an agent as the files that clients of agent servers know. */
public final class AgentFileRoutes {
    private final AgentService agents;
    private final Authentication access;

    public AgentFileRoutes(AgentService agents, Authentication access) {
        this.agents = agents;
        this.access = access;
    }

    public void addTo(Router router) {
        String all = "/api/agents/{id}/files";
        router.get(all, access.requireCaller(Permission.READ_AGENTS, this::list));
        router.get(all + "/{path*}", access.requireCaller(Permission.READ_AGENTS, this::read));
    }

    private record Entry(String path, int size, String modifiedAt) {}

    private void list(Exchange exchange, Caller caller) {
        Agent agent = agent(exchange, caller);
        String time = AgentView.time(agent.updatedAt());
        List<Entry> files =
                AgentFiles.of(agent.spec()).entrySet().stream()
                        .map(file -> new Entry(file.getKey(), size(file.getValue()), time))
                        .toList();
        exchange.json(200, Map.of("files", files));
    }

    private void read(Exchange exchange, Caller caller) {
        String path = exchange.pathParameter("path");
        String content = AgentFiles.of(agent(exchange, caller).spec()).get(path);
        if (content == null) {
            throw new SatchelException(ErrorCode.NOT_FOUND, "File not found");
        }
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("path", path);
        file.put("content", content);
        file.put("size", size(content));
        exchange.json(200, file);
    }

    private Agent agent(Exchange exchange, Caller caller) {
        String agent = exchange.pathParameter("id");
        return AgentId.isValid(agent)
                ? agents.get(caller, new AgentId(agent))
                : agents.named(caller, agent);
    }

    private static int size(String content) {
        return content.getBytes(StandardCharsets.UTF_8).length;
    }
}
