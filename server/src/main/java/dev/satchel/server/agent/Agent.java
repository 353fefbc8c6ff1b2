package dev.satchel.server.agent;

import dev.satchel.server.access.TenantId;

/**
 * A saved agent. A run keeps what the agent was when it began, so changing one is always safe.
 * {@code path} is what a client of agent servers said it was deployed from; nothing is read there.
 */
public record Agent(
        AgentId id,
        TenantId tenant,
        AgentSpec spec,
        long version,
        String path,
        long createdAt,
        long updatedAt) {

    /** Its next version. */
    Agent with(AgentSpec changed, String from, long now) {
        return new Agent(id, tenant, changed, version + 1, from, createdAt, now);
    }
}
