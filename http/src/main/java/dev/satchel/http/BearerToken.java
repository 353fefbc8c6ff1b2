package dev.satchel.http;

import java.util.Map;
import java.util.Optional;

/** The {@code Authorization: Bearer} header of requests. */
public final class BearerToken {
    private static final String PREFIX = "Bearer ";

    private BearerToken() {}

    /** The token that a request presents; the scheme may be in any case. */
    public static Optional<String> find(Exchange exchange) {
        return exchange.header("Authorization")
                .filter(value -> value.regionMatches(true, 0, PREFIX, 0, PREFIX.length()))
                .map(value -> value.substring(PREFIX.length()).strip());
    }

    /** The value of the header that presents a token. */
    public static String header(String token) {
        return PREFIX + token;
    }

    /** A 401 that asks for a token. */
    public static SatchelException unauthenticated(String message) {
        return new SatchelException(ErrorCode.UNAUTHENTICATED, message)
                .withHeaders(Map.of("WWW-Authenticate", "Bearer"));
    }
}
