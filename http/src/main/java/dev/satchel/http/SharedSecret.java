package dev.satchel.http;

import dev.satchel.http.security.Secrets;
import org.jspecify.annotations.Nullable;

/** A secret that programs share, sent as {@code Authorization: Bearer}; without one, all callers pass. */
public record SharedSecret(@Nullable String secret) {
    /** Refuses a caller without the secret; the comparison takes constant time. */
    public void require(Exchange exchange) {
        if (secret == null) {
            return;
        }
        if (!Secrets.equal(secret, BearerToken.find(exchange).orElse(""))) {
            throw BearerToken.unauthenticated("the shared secret is needed");
        }
    }

    @Override
    public String toString() {
        return "SharedSecret[]";
    }
}
