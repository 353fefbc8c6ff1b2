package dev.satchel.runner.agent;

/** The agent has no answer. Code and message become the {@code error} line of the run. */
public class AgentFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String code;

    public AgentFailedException(String code, String message) {
        super(message);
        this.code = code;
    }

    public String code() {
        return code;
    }

    /** For the user. */
    public String message() {
        return String.valueOf(getMessage());
    }
}
