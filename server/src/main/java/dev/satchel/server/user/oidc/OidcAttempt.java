package dev.satchel.server.user.oidc;

import dev.satchel.http.security.Secrets;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A sign-in that a browser has begun. The browser keeps it in a cookie, and the server nothing:
 * state, nonce and verifier are derived from a secret that only this browser has, so that an answer
 * of the provider is of use in the browser that asked for it and in no other.
 *
 * @param secret 32 random bytes
 * @param page where the person wants to go
 */
public record OidcAttempt(String secret, Instant begunAt, String page) {
    public static final Duration LIFETIME = Duration.ofMinutes(10);

    private static final String SEPARATOR = ".";
    private static final String ALGORITHM = "HmacSHA256";

    public static OidcAttempt begin(Instant now, String page) {
        return new OidcAttempt(
                Secrets.randomToken(), Instant.ofEpochMilli(now.toEpochMilli()), page);
    }

    /** Reads a cookie; empty if it is none of ours, or too old. */
    public static Optional<OidcAttempt> read(String cookie, Instant now) {
        String[] parts = cookie.split("\\.", -1);
        if (parts.length != 3 || parts[0].isEmpty()) {
            return Optional.empty();
        }
        try {
            OidcAttempt attempt =
                    new OidcAttempt(
                            parts[0],
                            Instant.ofEpochMilli(Long.parseLong(parts[1])),
                            new String(
                                    Base64.getUrlDecoder().decode(parts[2]),
                                    StandardCharsets.UTF_8));
            return Optional.of(attempt).filter(it -> it.isFresh(now));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private boolean isFresh(Instant now) {
        return begunAt.plus(LIFETIME).isAfter(now);
    }

    public String cookie() {
        return String.join(
                SEPARATOR,
                secret,
                Long.toString(begunAt.toEpochMilli()),
                base64(page.getBytes(StandardCharsets.UTF_8)));
    }

    public boolean hasState(String state) {
        return Secrets.equal(state(), state);
    }

    String state() {
        return derive("state");
    }

    String nonce() {
        return derive("nonce");
    }

    /** The secret of PKCE (RFC 7636). */
    String verifier() {
        return derive("verifier");
    }

    /** What the provider sees of the verifier. */
    String challenge() {
        try {
            return base64(
                    MessageDigest.getInstance("SHA-256")
                            .digest(verifier().getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Differs for each purpose, and when anything in the cookie is changed. */
    private String derive(String purpose) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            String text = purpose + SEPARATOR + cookie();
            return base64(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public String toString() {
        return "***";
    }
}
