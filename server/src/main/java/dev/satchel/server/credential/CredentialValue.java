package dev.satchel.server.credential;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The value of a credential, as a run gets it.
 *
 * @param expiresAt when the run has to ask again, in milliseconds since 1970
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CredentialValue(String value, @Nullable Long expiresAt) {
    @Override
    public String toString() {
        return "***";
    }
}
