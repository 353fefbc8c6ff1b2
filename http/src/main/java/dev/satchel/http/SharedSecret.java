package dev.satchel.http;

import dev.satchel.http.security.Secrets;
import org.jspecify.annotations.Nullable;

/** A secret that two programs share, sent as a bearer token; null admits every request. */
public record SharedSecret(@Nullable String secret) {
    /** Refuses a request without the secret; compares in constant time. */
    public void require(Exchange exchange) {
        if (secret == null) {
            return;
        }
        String presented = BearerToken.find(exchange).orElse("");
        if (!Secrets.equal(secret, presented)) {
            throw BearerToken.unauthenticated("the shared secret is needed");
        }
    }

    @Override
    public String toString() {
        return "SharedSecret[]";
    }
}
