package dev.satchel.server.idempotency;

import dev.satchel.http.security.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * What a request says, as a hash. The boundary of a form is left out of it: clients draw a new one
 * every time they send the same form.
 */
final class BodyDigest {
    private final MessageDigest sha256 = Sha256.newDigest();
    private final byte[] boundary;

    /** How much of the boundary the current line has begun with; -1 when it is no such line. */
    private int matched;

    /** {@code boundary} is what opens a line between two parts, or empty. */
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

    /** Takes one byte: holds it back while it may belong to a boundary. */
    private int match(byte[] bytes, int at, int end) {
        if (bytes[at] == boundary[matched]) {
            matched++;
            if (matched == boundary.length) {
                matched = -1; // a whole one: forgotten, and the line goes on behind it
            }
            return at + 1;
        }
        sha256.update(boundary, 0, matched);
        matched = -1;
        return restOfLine(bytes, at, end);
    }
}
