package dev.satchel.http.multipart;

import dev.satchel.http.ErrorCode;
import dev.satchel.http.Exchange;
import dev.satchel.http.SatchelException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads a multipart/form-data body part by part, without holding a part in memory. */
public final class MultipartReader {
    private static final int MAX_HEADER_BYTES = 8 * 1024;
    private static final int MAX_BOUNDARY_LENGTH = 70;

    private final BoundaryScanner scanner;
    private boolean started;
    private boolean ended;

    private MultipartReader(BoundaryScanner scanner) {
        this.scanner = scanner;
    }

    /** Reads the body of a request; more than {@code maxBytes} of it is a 413. */
    public static MultipartReader of(Exchange exchange, long maxBytes) {
        return of(exchange.header("Content-Type").orElse(""), exchange.body(maxBytes));
    }

    static MultipartReader of(String contentType, InputStream body) {
        if (!contentType.toLowerCase(Locale.ROOT).startsWith("multipart/form-data")) {
            throw new SatchelException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "the body must be multipart/form-data");
        }
        String boundary = HeaderParameters.parse(contentType).getOrDefault("boundary", "");
        if (boundary.isEmpty() || boundary.length() > MAX_BOUNDARY_LENGTH) {
            throw malformed("no usable boundary");
        }
        return new MultipartReader(new BoundaryScanner(body, boundary));
    }

    /** The next part, or empty after the last. */
    public Optional<Part> next() throws IOException {
        if (ended) {
            return Optional.empty();
        }
        scanner.skipContent(); // the rest of the previous part, or the text before the first
        if (!scanner.skipDelimiter()) {
            if (!started) {
                throw malformed("no part in it");
            }
            ended = true;
            return Optional.empty();
        }
        started = true;
        return Optional.of(part(headers(scanner.readHeaders(MAX_HEADER_BYTES))));
    }

    private Part part(Map<String, String> headers) {
        Map<String, String> disposition =
                HeaderParameters.parse(headers.getOrDefault("content-disposition", ""));
        return new Part(
                disposition.getOrDefault("name", ""),
                Optional.ofNullable(disposition.get("filename")),
                Optional.ofNullable(headers.get("content-type")),
                new PartInputStream(scanner));
    }

    private static Map<String, String> headers(String block) {
        Map<String, String> headers = new HashMap<>();
        for (String line : block.split("\r\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.put(
                        line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        return headers;
    }

    static SatchelException malformed(String problem) {
        return new SatchelException(
                ErrorCode.INVALID_REQUEST, "the multipart body is malformed: " + problem);
    }

    /** The content of one part. Closing it skips the rest, since the next part follows. */
    private static final class PartInputStream extends InputStream {
        private final BoundaryScanner scanner;
        private boolean ended;

        PartInputStream(BoundaryScanner scanner) {
            this.scanner = scanner;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (ended || length == 0) {
                return ended ? -1 : 0;
            }
            int count = scanner.read(target, offset, length);
            ended = count < 0;
            return count;
        }

        @Override
        public void close() throws IOException {
            if (!ended) {
                ended = true;
                scanner.skipContent();
            }
        }
    }
}
