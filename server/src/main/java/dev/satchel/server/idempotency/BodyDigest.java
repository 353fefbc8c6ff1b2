package dev.satchel.server.idempotency;

import dev.satchel.http.security.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * The hash of a request. It leaves out the boundary of a form, since clients choose a new one each
 * time they send the same form.
 */
final class BodyDigest {
    private final MessageDigest sha256 = Sha256.newDigest();
    private final byte[] boundary;

    /** How many bytes of the boundary the current line begins with; -1 for another line. */
    private int matched;

    /** {@code boundary} begins the lines between parts; empty when the body is no form. */
    BodyDigest(String request, String boundary) {
        this.boundary = boundary.getBytes(StandardCharsets.ISO_8859_1);
        this.matched = this.boundary.length == 0 ? -1 : 0;
        sha256.update((request + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void update(byte[] bytes, int offset, int length) {
        int end = offset + length;
        if (boundary.length == 0) {
            sha256.update(bytes, offset, length);
            return;
        }
        for (int at = offset; at < end; ) {
            at = matched < 0 ? restOfLine(bytes, at, end) : match(bytes, at, end);
        }
    }

    String hex() {
        return Sha256.hex(sha256);
    }

    private int restOfLine(byte[] bytes, int from, int end) {
        int at = from;
        while (at < end && bytes[at] != '\n') {
            at++;
        }
        if (at < end) {
            at++;
            matched = 0;
        }
        sha256.update(bytes, from, at - from);
        return at;
    }

    /** Reads one byte; does not hash it while it may belong to a boundary. */
    private int match(byte[] bytes, int at, int end) {
        if (bytes[at] == boundary[matched]) {
            matched++;
            if (matched == boundary.length) {
                matched = -1; // a complete boundary, which is not hashed
            }
            return at + 1;
        }
        sha256.update(boundary, 0, matched);
        matched = -1;
        return restOfLine(bytes, at, end);
    }
}
