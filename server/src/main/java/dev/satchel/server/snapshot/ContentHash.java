package dev.satchel.server.snapshot;

import dev.satchel.http.security.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/** The SHA-256 of a content, as numbers, which compare faster than bytes. */
public record ContentHash(long first, long second, long third, long fourth) {
    private static final int BUFFER = 64 * 1024;

    /** The hash of all bytes that the digest has received. */
    static ContentHash of(MessageDigest digest) {
        return read(ByteBuffer.wrap(digest.digest()));
    }

    /** Throws if the content is not the one that was stored. */
    static void requireSame(MessageDigest digest, ContentHash stored) throws IOException {
        if (!of(digest).equals(stored)) {
            throw new IOException("a stored content is damaged: " + stored.hex());
        }
    }

    static ContentHash of(InputStream in) throws IOException {
        MessageDigest digest = Sha256.newDigest();
        byte[] buffer = new byte[BUFFER];
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            digest.update(buffer, 0, count);
        }
        return of(digest);
    }

    static ContentHash read(ByteBuffer bytes) {
        return new ContentHash(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }

    void write(ByteBuffer bytes) {
        bytes.putLong(first).putLong(second).putLong(third).putLong(fourth);
    }

    public String hex() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(first)
                + hex.toHexDigits(second)
                + hex.toHexDigits(third)
                + hex.toHexDigits(fourth);
    }
}
