package dev.satchel.filesystem;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Random names for files that are not complete yet. */
public final class TemporaryNames {
    public static final String PREFIX = ".satchel-";

    private static final SecureRandom RANDOM = new SecureRandom();

    private TemporaryNames() {}

    public static String next() {
        byte[] bytes = new byte[12];
        RANDOM.nextBytes(bytes);
        return PREFIX + HexFormat.of().formatHex(bytes) + ".part";
    }
}
