package dev.satchel.server.turn;

import dev.satchel.http.Fields;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/agents/{id}/runs}. */
record AgentRunRequest(String prompt, @Nullable String onDisconnect) {
    private static final int MAX_PROMPT = 256 * 1024;

    AgentRunRequest {
        Fields.text("prompt", prompt, MAX_PROMPT);
        OnDisconnect.parse(onDisconnect, OnDisconnect.CANCEL);
    }

    OnDisconnect onDisconnect(boolean canReconnect) {
        return OnDisconnect.parse(onDisconnect, OnDisconnect.usual(canReconnect));
    }
}
