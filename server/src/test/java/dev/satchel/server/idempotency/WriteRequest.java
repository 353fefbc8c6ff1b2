package dev.satchel.server.idempotency;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.TreeMap;

/** A write request that can be sent several times. */
record WriteRequest(String method, String path, Map<String, String> headers, String body) {
    private static final String BOUNDARY = "the-end-of-a-part";

    static WriteRequest of(String method, String path) {
        return new WriteRequest(method, path, Map.of(), "");
    }

    static WriteRequest json(String method, String path, Map<String, ?> body) {
        return new WriteRequest(
                method, path, Map.of(), Json.MAPPER.writeValueAsString(new TreeMap<>(body)));
    }

    static WriteRequest form(String path, String filename) {
        return form(path, filename, "hello");
    }

    static WriteRequest form(String path, String filename, String content) {
        String body =
                "--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n\r\n%s\r\n--%s--\r\n"
                        .formatted(BOUNDARY, filename, content, BOUNDARY);
        return new WriteRequest("POST", path, Map.of(), body)
                .with("Content-Type", "multipart/form-data; boundary=" + BOUNDARY);
    }

    WriteRequest with(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new WriteRequest(method, path, more, body);
    }

    /** The same with a different body. */
    WriteRequest changed() {
        return new WriteRequest(method, path, headers, body + " ");
    }

    HttpRequest request(TestServer server, String key) {
        HttpRequest.Builder request =
                server.request(path)
                        .header("Idempotency-Key", key)
                        .method(method, BodyPublishers.ofString(body));
        headers.forEach(request::setHeader);
        return request.build();
    }
}
