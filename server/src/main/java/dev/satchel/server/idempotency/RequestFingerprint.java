package dev.satchel.server.idempotency;

import dev.satchel.http.Exchange;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The hash of method, path, query and body of a request. A short body is read at once. A long one,
 * such as an upload, is hashed while its handler reads it.
 */
final class RequestFingerprint {
    /** The size of JSON bodies, so that their hash is known before the handler runs. */
    private static final int HELD_BYTES = 1024 * 1024;

    private static final Pattern BOUNDARY =
            Pattern.compile("multipart/.*boundary=\"?([^\";]+)\"?.*", Pattern.CASE_INSENSITIVE);

    private final BodyDigest digest;
    private final InputStream rest;
    private @Nullable String hash;

    private RequestFingerprint(BodyDigest digest, InputStream rest) {
        this.digest = digest;
        this.rest = rest;
    }

    static RequestFingerprint of(Exchange exchange) throws IOException {
        BodyDigest digest =
                new BodyDigest(
                        exchange.method() + " " + exchange.pathAndQuery(),
                        boundary(exchange.header("Content-Type").orElse("")));
        InputStream all = exchange.body(Long.MAX_VALUE);
        byte[] held = all.readNBytes(HELD_BYTES);
        digest.update(held, 0, held.length);
        RequestFingerprint fingerprint =
                new RequestFingerprint(digest, new HashingInputStream(all, digest));
        InputStream same = new ByteArrayInputStream(held);
        if (held.length < HELD_BYTES) {
            fingerprint.hash = digest.hex();
            exchange.replaceBody(same);
        } else {
            exchange.replaceBody(new SequenceInputStream(same, fingerprint.rest));
        }
        return fingerprint;
    }

    /** Whether the hash is known without further reading. */
    boolean isKnown() {
        return hash != null;
    }

    /** Reads the rest of the body if needed. */
    String hash() throws IOException {
        if (hash == null) {
            rest.transferTo(OutputStream.nullOutputStream());
            hash = digest.hex();
        }
        return hash;
    }

    private static String boundary(String contentType) {
        Matcher matcher = BOUNDARY.matcher(contentType);
        return matcher.matches() ? "--" + matcher.group(1) : "";
    }

    /** Hashes all bytes that are read or skipped. */
    private static final class HashingInputStream extends FilterInputStream {
        private final BodyDigest digest;

        HashingInputStream(InputStream in, BodyDigest digest) {
            super(in);
            this.digest = digest;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int count = super.read(target, offset, length);
            if (count > 0) {
                digest.update(target, offset, count);
            }
            return count;
        }

        @Override
        public long skip(long n) throws IOException {
            return readNBytes((int) Math.min(n, HELD_BYTES)).length;
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
