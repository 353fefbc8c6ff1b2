package dev.satchel.runner.workspace;

import dev.satchel.http.BearerToken;
import dev.satchel.http.Exchange;
import dev.satchel.http.security.Secrets;
import org.jspecify.annotations.Nullable;

/** A secret that programs share, shown as {@code Authorization: Bearer}; none lets all in. */
public record SharedSecret(@Nullable String secret) {
    /** Refuses who does not show it, in a time that tells nothing about it. */
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
