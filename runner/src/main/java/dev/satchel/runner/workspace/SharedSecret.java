package dev.satchel.runner.workspace;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A secret that programs share, shown as {@code Authorization: Bearer}; none lets all in. */
public record SharedSecret(@Nullable String secret) {
    /** Refuses who does not show it, in a time that tells nothing about it. */
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
