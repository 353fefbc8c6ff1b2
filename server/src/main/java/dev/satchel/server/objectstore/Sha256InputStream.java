package dev.satchel.server.objectstore;

import dev.satchel.http.security.Sha256;
import java.io.InputStream;
import java.security.DigestInputStream;

/** Computes the SHA-256 of the bytes that are read through it. */
public final class Sha256InputStream extends DigestInputStream {
    public Sha256InputStream(InputStream in) {
        super(in, Sha256.newDigest());
    }

    /** The hash of all bytes read so far, in hexadecimal. Must be called once, at the end. */
    public String sha256() {
        return Sha256.hex(getMessageDigest());
    }
}
