package dev.satchel.server.snapshot;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hash that names contents. */
final class Sha256 {
    private static final int BUFFER = 64 * 1024;

    private Sha256() {}

    static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static String hex(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }

    static String of(InputStream in) throws IOException {
        MessageDigest digest = begin();
        byte[] buffer = new byte[BUFFER];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            digest.update(buffer, 0, count);
        }
        return hex(digest);
    }
}
