package dev.satchel.server.idempotency;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The writes of clients of agent servers that chats of this server do not have. */
final class AgentServerWrites {
    private final WriteSubjects subjects;

    AgentServerWrites(WriteSubjects subjects) {
        this.subjects = subjects;
    }

    Map<String, EveryWrite.Maker> all() {
        Map<String, EveryWrite.Maker> all = new HashMap<>();
        all.put(
                "PATCH /api/agents/{id}",
                () ->
                        WriteRequest.json(
                                "PATCH", subjects.agent(), Map.of("description", "Reads.")));
        all.put(
                "POST /api/agents/{id}/versions/{version}/activate",
                () -> WriteRequest.of("POST", subjects.agent() + "/versions/1/activate"));
        all.put(
                "PATCH /api/sessions/{id}/config",
                () ->
                        WriteRequest.json(
                                "PATCH",
                                subjects.session() + "/config",
                                Map.of("allowedTools", List.of("Read"))));
        return all;
    }
}
