package dev.satchel.bench.stream;

import dev.satchel.bench.process.ServerProcess;

/** Requests as they go over the wire. */
final class RawRequests {
    private RawRequests() {}

    static String get(String path) {
        return head("GET", path) + "\r\n";
    }

    static String post(String path, String body) {
        return head("POST", path)
                + "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                        .formatted(body.length(), body);
    }

    private static String head(String method, String path) {
        return "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
                .formatted(method, path, ServerProcess.KEY);
    }
}
