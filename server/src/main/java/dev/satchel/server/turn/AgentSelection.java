package dev.satchel.server.turn;

import dev.satchel.http.Fields;
import dev.satchel.server.agent.AgentId;
import dev.satchel.server.agent.AgentService;
import org.jspecify.annotations.Nullable;

/**
 * The agent and the model that a message names. What it does not name stays as the chat has it, and
 * {@code default} takes an earlier choice back.
 *
 * @param agentId the id of a saved agent
 * @param model the id of a model of the registry
 */
public record AgentSelection(@Nullable String agentId, @Nullable String model) {
    /** The message names nothing. */
    public static final AgentSelection KEEP = new AgentSelection(null, null);

    static final String DEFAULT = "default";

    private static final int MAX_ID = 128;

    public AgentSelection {
        if (agentId != null && !agentId.equals(DEFAULT) && !AgentId.isValid(agentId)) {
            throw AgentService.noSuchAgent();
        }
        if (model != null) {
            Fields.text("model", model, MAX_ID);
        }
    }

    /** The agent after this message; null for the default one. */
    @Nullable AgentId agentAfter(@Nullable AgentId before) {
        if (agentId == null) {
            return before;
        }
        return agentId.equals(DEFAULT) ? null : new AgentId(agentId);
    }
}
