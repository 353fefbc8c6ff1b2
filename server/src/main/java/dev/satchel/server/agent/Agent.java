package dev.satchel.server.agent;

import dev.satchel.server.access.TenantId;

/**
 * A saved agent. A run stores its own copy of the agent's setup, so an agent may change at any
 * time. {@code path} is the source that a client named at the deployment; it is never read.
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
