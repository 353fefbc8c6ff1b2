package dev.satchel.http;

import java.util.Map;

/** An error of the caller, or one that a retry may solve. The caller receives the message. */
public final class SatchelException extends RuntimeException {
    private final ErrorCode code;
    private final transient Map<String, Object> details;
    private final transient Map<String, String> headers;

    public SatchelException(ErrorCode code, String message) {
        this(code, message, Map.of(), Map.of());
    }

    private SatchelException(
            ErrorCode code,
            String message,
            Map<String, Object> details,
            Map<String, String> headers) {
        super(message);
        this.code = code;
        this.details = Map.copyOf(details);
        this.headers = Map.copyOf(headers);
    }

    /** The same error with further members in its body. */
    public SatchelException withDetails(Map<String, Object> more) {
        return new SatchelException(code, text(), more, headers);
    }

    /** The same error with further response headers, such as Retry-After. */
    public SatchelException withHeaders(Map<String, String> more) {
        return new SatchelException(code, text(), details, more);
    }

    public ErrorCode code() {
        return code;
    }

    /** The message, which is never null. */
    public String text() {
        String message = getMessage();
        return message == null ? code.title() : message;
    }

    public Map<String, Object> details() {
        return details;
    }

    public Map<String, String> headers() {
        return headers;
    }
}
