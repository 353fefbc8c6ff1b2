package dev.satchel.runner.model;

/** The model gave no answer. The message is for the user and never contains a key. */
public final class ModelException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The codes of the run's {@code error} line. */
    public enum Code {
        MODEL_TIMEOUT("model_timeout"),
        MODEL_AUTH("model_auth"),
        MODEL_RATE_LIMITED("model_rate_limited"),
        MODEL_ERROR("model_error"),
        MODEL_REFUSED("model_refused"),
        CONTEXT_OVERFLOW("context_overflow"),
        MODEL_NOT_CONFIGURED("model_not_configured");

        private final String wireName;

        Code(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }

    private final Code code;

    public ModelException(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    public String message() {
        return String.valueOf(getMessage());
    }
}
