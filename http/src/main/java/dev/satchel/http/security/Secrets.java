package dev.satchel.http.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Makes and compares secrets. */
public final class Secrets {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int TOKEN_BYTES = 32;

    private Secrets() {}

    public static byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    public static String randomHex(int byteCount) {
        return HexFormat.of().formatHex(randomBytes(byteCount));
    }

    /** 32 random bytes in URL-safe Base64 without padding: 43 characters. */
    public static String randomToken() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(randomBytes(TOKEN_BYTES));
    }

    /** Compares in a time that depends on the lengths only. */
    public static boolean equal(String expected, String given) {
        return MessageDigest.isEqual(
                expected.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    }
}
