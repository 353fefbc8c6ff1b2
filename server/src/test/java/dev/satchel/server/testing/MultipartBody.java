package dev.satchel.server.testing;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;

/** A multipart/form-data body, built by hand so that a test can also build bad ones. */
public final class MultipartBody {
    private static final String BOUNDARY = "satchel-test-boundary";

    public static final String CONTENT_TYPE = "multipart/form-data; boundary=" + BOUNDARY;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public MultipartBody file(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8));
    }

    public MultipartBody file(String name, byte[] content) {
        text(
                "--"
                        + BOUNDARY
                        + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\""
                        + name
                        + "\"\r\n\r\n");
        bytes.writeBytes(content);
        text("\r\n");
        return this;
    }

    public MultipartBody field(String name, String value) {
        text(
                "--"
                        + BOUNDARY
                        + "\r\nContent-Disposition: form-data; name=\""
                        + name
                        + "\"\r\n\r\n"
                        + value
                        + "\r\n");
        return this;
    }

    public BodyPublisher publisher() {
        text("--" + BOUNDARY + "--\r\n");
        return BodyPublishers.ofByteArray(bytes.toByteArray());
    }

    private void text(String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
