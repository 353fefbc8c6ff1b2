package dev.satchel.server.idempotency;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import java.util.TreeMap;

/** A request that changes something, to be sent as often as one likes. */
record Write(String method, String path, Map<String, String> headers, String body) {
    private static final String BOUNDARY = "the-end-of-a-part";

    static Write of(String method, String path) {
        return new Write(method, path, Map.of(), "");
    }

    static Write json(String method, String path, Map<String, ?> body) {
        return new Write(
                method, path, Map.of(), Json.MAPPER.writeValueAsString(new TreeMap<>(body)));
    }

    static Write form(String path, String filename) {
        String body =
                "--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n\r\nhello\r\n--%s--\r\n"
                        .formatted(BOUNDARY, filename, BOUNDARY);
        return new Write("POST", path, Map.of(), body)
                .with("Content-Type", "multipart/form-data; boundary=" + BOUNDARY);
    }

    Write with(String name, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(name, value);
        return new Write(method, path, more, body);
    }

    /** The same with a body that says something else. */
    Write changed() {
        return new Write(method, path, headers, body + " ");
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
