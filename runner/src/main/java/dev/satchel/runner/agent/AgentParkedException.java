package dev.satchel.runner.agent;

/** The agent stops here and is continued later, from its journal. */
public final class AgentParkedException extends AgentFailedException {
    private static final long serialVersionUID = 1L;

    public AgentParkedException() {
        super("parked", "The run is continued later.");
    }
}
