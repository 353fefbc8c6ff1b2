package dev.satchel.server.objectstore;

import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Hashes what is read through it. */
public final class Sha256InputStream extends DigestInputStream {
    public Sha256InputStream(InputStream in) {
        super(in, newDigest());
    }

    /** The hash of all that was read; to be asked once, at the end. */
    public String sha256() {
        return HexFormat.of().formatHex(getMessageDigest().digest());
    }

    static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
