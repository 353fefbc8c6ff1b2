package dev.satchel.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** A secret that proves who is calling. We give it out once and keep only its hash. */
public record Credential(String value) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RANDOM_BYTES = 32;

    /** A new one that nobody can guess; the prefix tells people and scanners what it is. */
    public static Credential fresh(String prefix) {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return new Credential(
                prefix + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /**
     * Plain SHA-256 will do: the input is random, so there is nothing to guess from a dictionary.
     */
    public String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(value.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return "***";
    }
}
