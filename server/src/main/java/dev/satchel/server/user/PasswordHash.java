package dev.satchel.server.user;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Passwords as Argon2id hashes, in the usual text with the parameters and the salt, so that hashes
 * with other parameters stay valid.
 */
final class PasswordHash {
    /** As OWASP recommends: 19 MiB, two passes, one lane. */
    private static final int MEMORY_KIB = 19 * 1024;

    private static final int PASSES = 2;
    private static final int LANES = 1;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    private PasswordHash() {}

    static String of(String password) {
        byte[] salt = new byte[SALT_BYTES];
        RANDOM.nextBytes(salt);
        Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        byte[] hash = compute(password, MEMORY_KIB, PASSES, LANES, salt, HASH_BYTES);
        return "$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s"
                .formatted(
                        MEMORY_KIB,
                        PASSES,
                        LANES,
                        base64.encodeToString(salt),
                        base64.encodeToString(hash));
    }

    static boolean matches(String password, String stored) {
        String[] parts = stored.split("\\$", -1);
        String[] costs = parts[3].split(",", -1);
        byte[] expected = Base64.getDecoder().decode(parts[5]);
        byte[] actual =
                compute(
                        password,
                        number(costs[0]),
                        number(costs[1]),
                        number(costs[2]),
                        Base64.getDecoder().decode(parts[4]),
                        expected.length);
        return MessageDigest.isEqual(expected, actual);
    }

    private static int number(String cost) {
        return Integer.parseInt(cost.substring(2));
    }

    private static byte[] compute(
            String password, int memory, int passes, int lanes, byte[] salt, int length) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(
                new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                        .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                        .withMemoryAsKB(memory)
                        .withIterations(passes)
                        .withParallelism(lanes)
                        .withSalt(salt)
                        .build());
        byte[] hash = new byte[length];
        generator.generateBytes(password.getBytes(StandardCharsets.UTF_8), hash);
        return hash;
    }
}
