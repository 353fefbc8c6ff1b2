package dev.satchel.runner.agent;

/** The agent cannot answer; becomes the run's {@code error} line. */
public final class AgentFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String code;

    public AgentFailedException(String code, String message) {
        super(message);
        this.code = code;
    }

    public String code() {
        return code;
    }

    /** What the person reads. */
    public String message() {
        return String.valueOf(getMessage());
    }
}
