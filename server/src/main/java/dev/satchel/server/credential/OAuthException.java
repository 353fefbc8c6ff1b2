package dev.satchel.server.credential;

import java.io.IOException;
import java.util.Set;

/** A service refused a request, or its answer was not understood. */
final class OAuthException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final Set<String> FINAL =
            Set.of("invalid_grant", "invalid_client", "unauthorized_client");

    private final String code;

    /** {@code code} is the error code of the protocol; empty if the service sent none. */
    OAuthException(String message, String code) {
        super(message);
        this.code = code;
    }

    /** Whether a repeat cannot succeed, so that a person has to log in again. */
    boolean isFinal() {
        return FINAL.contains(code);
    }
}
