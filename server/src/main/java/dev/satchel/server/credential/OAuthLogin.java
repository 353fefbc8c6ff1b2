package dev.satchel.server.credential;

import dev.satchel.http.Fields;
import dev.satchel.http.security.Secrets;
import dev.satchel.protocol.Json;
import dev.satchel.server.access.TenantId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.UUID;

/**
 * A login that a person has begun at a service. It is stored nowhere: its encrypted form is the
 * {@code state} that the service hands back, so that any server can finish it. After it the state
 * has the name of the credential, for a page that asks the person first.
 *
 * @param id the credential has the id of its newest login, until that is finished
 * @param verifier the secret of PKCE (RFC 7636)
 */
record OAuthLogin(
        String id,
        String tenant,
        String name,
        String verifier,
        String redirectUri,
        long expiresAt) {
    private static final Duration LIFETIME = Duration.ofMinutes(15);
    private static final String CONTEXT = "oauth-login";

    static OAuthLogin begin(StoredCredential credential, String redirectUri, long now) {
        return new OAuthLogin(
                UUID.randomUUID().toString(),
                credential.tenant().value(),
                credential.name().value(),
                Secrets.randomToken(),
                redirectUri,
                now + LIFETIME.toMillis());
    }

    String state(SealingKeys keys) {
        SealingKeys.Sealed sealed = keys.seal(Json.MAPPER.writeValueAsString(this), CONTEXT);
        return sealed.keyId() + "." + sealed.text() + "." + name;
    }

    /** Refuses a state of another tenant, an expired one, and everything else. */
    static OAuthLogin of(String state, SealingKeys keys, TenantId tenant, long now) {
        String[] parts = state.split("\\.", 3);
        if (parts.length < 3) {
            throw invalid();
        }
        OAuthLogin login;
        try {
            SealingKeys.Sealed sealed = new SealingKeys.Sealed(parts[0], parts[1]);
            login = Json.MAPPER.readValue(keys.open(sealed, CONTEXT), OAuthLogin.class);
        } catch (RuntimeException _) {
            throw invalid();
        }
        boolean isOwn = login.tenant().equals(tenant.value()) && login.name().equals(parts[2]);
        if (!isOwn || login.expiresAt() < now) {
            throw invalid();
        }
        return login;
    }

    static RuntimeException invalid() {
        return Fields.invalid(
                "state", "is not valid, was used or has expired: connect the credential again");
    }

    /** What the service sees of the verifier. */
    String challenge() {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "***";
    }
}
