package dev.satchel.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A secret that two programs share, sent as {@code Authorization: Bearer}; null admits all. */
public record SharedSecret(@Nullable String secret) {
    /** Refuses a request without the secret; compares in constant time. */
    public void require(Exchange exchange) {
        if (secret == null) {
            return;
        }
        byte[] expected = ("Bearer " + secret).getBytes(StandardCharsets.UTF_8);
        byte[] given = exchange.header("Authorization").orElse("").getBytes(StandardCharsets.UTF_8);
        if (!MessageDigest.isEqual(expected, given)) {
            throw new SatchelException(ErrorCode.UNAUTHENTICATED, "the shared secret is needed")
                    .withHeaders(Map.of("WWW-Authenticate", "Bearer"));
        }
    }

    @Override
    public String toString() {
        return "SharedSecret[]";
    }
}
