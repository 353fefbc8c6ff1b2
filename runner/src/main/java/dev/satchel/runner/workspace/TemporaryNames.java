package dev.satchel.runner.workspace;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Names nobody guesses, for what is not yet in its place. */
final class TemporaryNames {
    static final String PREFIX = ".satchel-";

    private static final SecureRandom RANDOM = new SecureRandom();

    private TemporaryNames() {}

    static String next() {
        byte[] bytes = new byte[12];
        RANDOM.nextBytes(bytes);
        return PREFIX + HexFormat.of().formatHex(bytes) + ".part";
    }
}
