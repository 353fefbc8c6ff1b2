package dev.satchel.client;

import java.io.IOException;

/** The server answered, and refused: with a status, a code for programs and a text for people. */
public final class ApiException extends IOException {
    private final int status;
    private final String code;

    ApiException(int status, String code, String detail) {
        super(detail);
        this.status = status;
        this.code = code;
    }

    public int status() {
        return status;
    }

    /** Such as {@code not_found}; empty where the server names none. */
    public String code() {
        return code;
    }

    /** Whether it was done is unknown: the first request is still running, or a proxy timed out. */
    boolean isInDoubt() {
        return code.equals("request_in_progress") || status == 502 || status == 504;
    }

    /** The server failed to answer; a retry may succeed. */
    boolean isTemporary() {
        return status >= 500 || status == 429;
    }
}
