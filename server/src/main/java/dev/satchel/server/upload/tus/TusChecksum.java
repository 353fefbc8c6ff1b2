package dev.satchel.server.upload.tus;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Fields;
import dev.satchel.http.SatchelException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;

/** The {@code Upload-Checksum} of one request. */
record TusChecksum(MessageDigest digest, String expected) {
    /** The names in tus and in Java. */
    private static final Map<String, String> ALGORITHMS =
            Map.of("md5", "MD5", "sha1", "SHA-1", "sha256", "SHA-256");

    static String algorithms() {
        return "md5,sha1,sha256";
    }

    static TusChecksum parse(String header) {
        String[] words = header.strip().split(" ", 2);
        String algorithm = ALGORITHMS.get(words[0]);
        if (algorithm == null || words.length < 2) {
            throw Fields.invalid("Upload-Checksum", "must be one of " + algorithms());
        }
        try {
            return new TusChecksum(MessageDigest.getInstance(algorithm), words[1].strip());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    void require() {
        if (!Base64.getEncoder().encodeToString(digest.digest()).equals(expected)) {
            throw new SatchelException(
                    ErrorCode.CHECKSUM_MISMATCH, "the bytes do not match their checksum");
        }
    }
}
