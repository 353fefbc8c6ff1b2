package dev.satchel.server.agent;

/** The agent of a run, and its version when the run started. */
public record AgentReference(String id, String name, long version) {
    public static AgentReference of(Agent agent) {
        return new AgentReference(agent.id().value(), agent.spec().name(), agent.version());
    }
}
