package dev.satchel.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.fileupload2.core.FileUploadException;
import org.apache.commons.fileupload2.core.MultipartInput;
import org.apache.commons.fileupload2.core.ParameterParser;

/** Reads a multipart/form-data body part by part, never holding one in memory. */
public final class Multipart {
    private static final int MAX_HEADER_BYTES = 8 * 1024;

    private final MultipartInput input;
    private boolean started;

    private Multipart(MultipartInput input) {
        this.input = input;
        input.setHeaderCharset(StandardCharsets.UTF_8); // as browsers and curl send file names
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
        try {
            return new Multipart(
                    MultipartInput.builder()
                            .setInputStream(body)
                            .setBoundary(boundary.getBytes(StandardCharsets.ISO_8859_1))
                            .setMaxPartHeaderSize(MAX_HEADER_BYTES)
                            .get());
        } catch (IllegalArgumentException e) {
            throw malformed("no usable boundary");
        }
    }

    /** The next part, or empty after the last. */
    public Optional<Part> next() throws IOException {
        try {
            boolean more = started ? input.readBoundary() : input.skipPreamble();
            if (!more) {
                if (!started) {
                    throw malformed("no part in it");
                }
                return Optional.empty();
            }
            started = true;
            return Optional.of(part(headers(input.readHeaders())));
        } catch (FileUploadException e) {
            throw brokenOff();
        }
    }

    private Part part(Map<String, String> headers) throws IOException {
        Map<String, String> disposition =
                parameters(headers.getOrDefault("content-disposition", ""));
        return new Part(
                disposition.getOrDefault("name", ""),
                Optional.ofNullable(disposition.get("filename")),
                Optional.ofNullable(headers.get("content-type")),
                new PartStream(input.newInputStream()));
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

    private static SatchelException brokenOff() {
        return malformed("it breaks off or has bad headers");
    }

    private static SatchelException malformed(String problem) {
        return new SatchelException(
                ErrorCode.INVALID_REQUEST, "the multipart body is malformed: " + problem);
    }

    /** A part without its end is the client's mistake, whoever happens to read it. */
    private static final class PartStream extends InputStream {
        private final InputStream content;

        PartStream(InputStream content) {
            this.content = content;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            try {
                return content.read(target, offset, length);
            } catch (FileUploadException e) {
                throw brokenOff();
            }
        }

        /** Reads what is left of the part, for the next one comes after it. */
        @Override
        public void close() throws IOException {
            try {
                content.close();
            } catch (FileUploadException e) {
                throw brokenOff();
            }
        }
    }
}
