package dev.satchel.server.credential;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A credential as JSON: everything but its value. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record CredentialView(
        String name,
        String kind,
        @Nullable String problem,
        @Nullable Long expiresAt,
        long createdAt,
        long updatedAt) {

    record All(List<CredentialView> credentials) {}

    static CredentialView of(StoredCredential credential) {
        return new CredentialView(
                credential.name().value(),
                credential.kind().name().toLowerCase(Locale.ROOT),
                credential.problem(),
                credential.expiresAt(),
                credential.createdAt(),
                credential.updatedAt());
    }
}
