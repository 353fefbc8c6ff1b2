package dev.satchel.server.agent;

import dev.satchel.server.access.TenantId;

/** A saved agent. A run keeps what the agent was when it began, so changing one is always safe. */
public record Agent(AgentId id, TenantId tenant, AgentSpec spec, long createdAt, long updatedAt) {}
