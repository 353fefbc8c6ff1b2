package dev.satchel.http;

import java.util.Locale;

/** Every error that a caller can receive: its code on the wire and its HTTP status. */
public enum ErrorCode {
    INVALID_REQUEST(400),
    SESSION_NOT_ACTIVE(400),
    UNAUTHENTICATED(401),
    INVALID_TOKEN(401),
    FORBIDDEN(403),
    NOT_FOUND(404),
    METHOD_NOT_ALLOWED(405),
    REQUEST_TIMEOUT(408),
    CONFLICT(409),
    TURN_IN_PROGRESS(409),
    QUEUE_FULL(409),
    REQUEST_IN_PROGRESS(409),

    /** The files of an earlier message were deleted after the time for which they are kept. */
    SNAPSHOT_GONE(409),
    GONE(410),
    PRECONDITION_FAILED(412),
    TOO_LARGE(413),
    UNSUPPORTED_MEDIA_TYPE(415),
    RANGE_NOT_SATISFIABLE(416),
    MISDIRECTED(421),
    UNKNOWN_ATTACHMENT(422),
    UNPROCESSABLE(422),
    KEY_REUSED(422),
    TOO_MANY_ATTEMPTS(429),
    TOO_MANY_RUNS(429),
    TOO_MANY_REQUESTS(429),
    TOO_MANY_UPLOADS(429),

    /** Models have cost what a tenant or a user may spend in a day or a month. */
    BUDGET_REACHED(429),

    /** Defined by tus 1.0, not by HTTP. */
    CHECKSUM_MISMATCH(460),
    INTERNAL(500),

    /** The runner could not run the command. A command that exits with an error is a result. */
    COMMAND_FAILED(500),
    SANDBOX_NOT_CONFIGURED(503),
    SHUTTING_DOWN(503),
    UNAVAILABLE(503),

    /** The newest files are on a server that is away, and in no snapshot. */
    WORKSPACE_PENDING(503),
    STORAGE_FULL(507);

    private final int status;

    ErrorCode(int status) {
        this.status = status;
    }

    public int status() {
        return status;
    }

    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The title of RFC 9457: short, readable, and the same for every occurrence. */
    public String title() {
        String words = code().replace('_', ' ');
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
