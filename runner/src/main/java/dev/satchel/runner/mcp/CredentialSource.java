package dev.satchel.runner.mcp;

import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Gives the values of credentials, which are fetched just before they are needed. */
@FunctionalInterface
public interface CredentialSource {
    /** An exception says in plain words why there is no value. */
    Credential fetch(String name) throws IOException, InterruptedException;

    /**
     * A value, which must not be written anywhere.
     *
     * @param expiresAt absent when it does not expire
     */
    record Credential(String value, @Nullable Instant expiresAt) {
        @Override
        public String toString() { // without the value
            return "Credential[expiresAt=" + expiresAt + "]";
        }
    }
}
