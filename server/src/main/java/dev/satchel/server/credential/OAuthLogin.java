package dev.satchel.server.credential;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.satchel.http.Fields;
import dev.satchel.http.security.Secrets;
import dev.satchel.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A login that a person has begun at a service. Its encrypted form is in the row of its credential,
 * until it is finished or a newer one begins.
 *
 * @param id the part of the {@code state} that nobody can guess
 * @param verifier the secret of PKCE (RFC 7636)
 * @param client was registered for this login; null if the credential has its client already. A
 *     login that nobody finishes leaves the client that the tokens belong to
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record OAuthLogin(
        String id, String verifier, String redirectUri, @Nullable Client client, long expiresAt) {
    private static final Duration LIFETIME = Duration.ofMinutes(15);

    /** This server at a service. */
    record Client(String id, @Nullable String secret) {
        @Override
        public String toString() {
            return "***";
        }
    }

    static OAuthLogin begin(OAuthGrant before, OAuthGrant grant, String redirectUri, long now) {
        String id = grant.clientId();
        Client registered =
                id == null || grant.equals(before) ? null : new Client(id, grant.clientSecret());
        return new OAuthLogin(
                Secrets.randomToken(),
                Secrets.randomToken(),
                redirectUri,
                registered,
                now + LIFETIME.toMillis());
    }

    /** What the service hands back; with the name, for a page that asks the person first. */
    String state(CredentialName name) {
        return id + "." + name.value();
    }

    /** The credential that a state names. */
    static CredentialName nameIn(String state) {
        String name = state.substring(state.indexOf('.') + 1);
        if (!CredentialName.isValid(name)) {
            throw invalid();
        }
        return new CredentialName(name);
    }

    boolean isOf(String state, CredentialName name, long now) {
        return expiresAt >= now
                && MessageDigest.isEqual(
                        state(name).getBytes(StandardCharsets.UTF_8),
                        state.getBytes(StandardCharsets.UTF_8));
    }

    String sealed(SealingKeys keys, StoredCredential credential) {
        SealingKeys.Sealed sealed =
                keys.seal(Json.MAPPER.writeValueAsString(this), context(credential));
        return sealed.keyId() + "." + sealed.text();
    }

    static OAuthLogin open(String sealed, SealingKeys keys, StoredCredential credential) {
        int dot = sealed.indexOf('.');
        try {
            SealingKeys.Sealed text =
                    new SealingKeys.Sealed(sealed.substring(0, dot), sealed.substring(dot + 1));
            return Json.MAPPER.readValue(keys.open(text, context(credential)), OAuthLogin.class);
        } catch (RuntimeException _) { // such as one with a key that was rotated
            throw invalid();
        }
    }

    private static String context(StoredCredential credential) {
        return credential.context() + "/login";
    }

    static RuntimeException invalid() {
        return Fields.invalid(
                "state", "is not valid, was used or has expired: connect the credential again");
    }

    /** The grant with the client of this login. */
    OAuthGrant registered(OAuthGrant grant) {
        return client == null ? grant : grant.withClient(client.id(), client.secret(), redirectUri);
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
