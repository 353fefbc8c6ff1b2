package dev.satchel.runner.agent;

/** The agent has asked a person and ends; the run is continued when the answers are there. */
public final class AgentParkedException extends Exception {
    private static final long serialVersionUID = 1L;

    public AgentParkedException() {
        super("the run waits for a person", null, false, false);
    }
}
