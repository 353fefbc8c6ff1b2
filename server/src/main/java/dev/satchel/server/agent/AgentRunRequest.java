package dev.satchel.server.agent;

import dev.satchel.http.Fields;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of {@code POST /api/agents/{id}/runs}. */
record AgentRunRequest(String prompt, @Nullable String onDisconnect) {
    private static final int MAX_PROMPT = 256 * 1024;

    AgentRunRequest {
        Fields.text("prompt", prompt, MAX_PROMPT);
        if (onDisconnect != null && !List.of("cancel", "continue").contains(onDisconnect)) {
            throw Fields.invalid("onDisconnect", "must be cancel or continue");
        }
    }

    /** Who names a request so that it can be sent again means to come back. */
    boolean cancelsOnDisconnect(boolean mayComeBack) {
        return onDisconnect == null ? !mayComeBack : onDisconnect.equals("cancel");
    }
}
