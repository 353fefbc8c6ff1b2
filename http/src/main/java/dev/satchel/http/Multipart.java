package dev.satchel.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.fileupload2.core.ParameterParser;

/** Reads a multipart/form-data body part by part, never holding one in memory. */
public final class Multipart {
    private static final int MAX_HEADER_BYTES = 8 * 1024;

    private final PartReader reader;
    private boolean started;
    private boolean ended;

    private Multipart(PartReader reader) {
        this.reader = reader;
    }

    static Multipart of(String contentType, InputStream body) throws IOException {
        if (!contentType.toLowerCase(Locale.ROOT).startsWith("multipart/form-data")) {
            throw new SatchelException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "the body must be multipart/form-data");
        }
        String boundary = parameters(contentType).get("boundary");
        if (boundary == null || boundary.isEmpty() || boundary.length() > 70) {
            throw malformed("no usable boundary");
        }
        return new Multipart(new PartReader(body, boundary));
    }

    /** The next part, or empty after the last. */
    public Optional<Part> next() throws IOException {
        if (ended) {
            return Optional.empty();
        }
        reader.skipPart(); // what is left of the one before, or what stands before the first
        if (!reader.nextPart()) {
            if (!started) {
                throw malformed("no part in it");
            }
            ended = true;
            return Optional.empty();
        }
        started = true;
        return Optional.of(part(headers(reader.readHeaders(MAX_HEADER_BYTES))));
    }

    private Part part(Map<String, String> headers) {
        Map<String, String> disposition =
                parameters(headers.getOrDefault("content-disposition", ""));
        return new Part(
                disposition.getOrDefault("name", ""),
                Optional.ofNullable(disposition.get("filename")),
                Optional.ofNullable(headers.get("content-type")),
                new PartStream(reader));
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

    private static Map<String, String> parameters(String header) {
        ParameterParser parser = new ParameterParser();
        parser.setLowerCaseNames(true);
        Map<String, String> found = new HashMap<>();
        parser.parse(header, ';')
                .forEach(
                        (name, value) -> {
                            if (value != null) {
                                found.put(name, value);
                            }
                        });
        return found;
    }

    static SatchelException malformed(String problem) {
        return new SatchelException(
                ErrorCode.INVALID_REQUEST, "the multipart body is malformed: " + problem);
    }

    /** One part's content; closing reads what is left of it, for the next one comes after it. */
    private static final class PartStream extends InputStream {
        private final PartReader reader;
        private boolean ended;

        PartStream(PartReader reader) {
            this.reader = reader;
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
            int count = reader.read(target, offset, length);
            ended = count < 0;
            return count;
        }

        @Override
        public void close() throws IOException {
            if (!ended) {
                ended = true;
                reader.skipPart();
            }
        }
    }
}
