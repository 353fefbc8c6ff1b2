package dev.satchel.http;

import dev.satchel.http.connection.ResponseBody;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes the status, headers and body of one response. A response to HEAD has no body. */
final class ResponseWriter {
    private static final byte[] EMPTY = new byte[0];

    private final HttpServerResponse response;
    private final ResponseBody output;
    private final boolean headOnly;
    private @Nullable Consumer<StoredResponse> listener;

    ResponseWriter(HttpServerResponse response, ResponseBody output, boolean headOnly) {
        this.response = response;
        this.output = output;
        this.headOnly = headOnly;
    }

    void onResponse(Consumer<StoredResponse> onResponse) {
        listener = onResponse;
    }

    void header(String name, String value) {
        response.putHeader(name, value);
    }

    void defaultHeader(String name, String value) {
        if (!response.headers().contains(name)) {
            header(name, value);
        }
    }

    void send(int status) {
        end(status, EMPTY);
    }

    void send(StoredResponse stored) {
        stored.headers().forEach(this::header);
        end(stored.status(), stored.body().getBytes(StandardCharsets.UTF_8));
    }

    void body(int status, String contentType, byte[] bytes) {
        header("Content-Type", contentType);
        if (headOnly) {
            header("Content-Length", Integer.toString(bytes.length));
            end(status, EMPTY);
            return;
        }
        end(status, bytes);
    }

    void body(int status, String contentType, OffHeapBody body) {
        header("Content-Type", contentType);
        header("Content-Length", Integer.toString(body.length()));
        if (headOnly) {
            end(status, EMPTY);
            return;
        }
        body.sendTo(response.setStatusCode(status));
    }

    OutputStream stream(int status, String contentType, long length) {
        header("Content-Length", Long.toString(length));
        return begin(status, contentType);
    }

    OutputStream stream(int status, String contentType) {
        response.setChunked(true);
        return begin(status, contentType);
    }

    /** A stream whose parts must reach the client at once. */
    OutputStream unbuffered(String contentType) {
        header("Cache-Control", "no-cache, no-transform");
        header("X-Accel-Buffering", "no");
        return stream(200, contentType);
    }

    /** Completes the response: 204 when the handler has written nothing. */
    void finish() {
        if (!response.ended() && !response.closed() && !response.headWritten()) {
            send(204);
        }
        output.close();
    }

    private OutputStream begin(int status, String contentType) {
        header("Content-Type", contentType);
        response.setStatusCode(status).writeHead();
        return output;
    }

    private void end(int status, byte[] bytes) {
        response.setStatusCode(status);
        if (listener != null) {
            Map<String, String> headers = new LinkedHashMap<>();
            response.headers().forEach(headers::put);
            String text = new String(bytes, StandardCharsets.UTF_8);
            listener.accept(new StoredResponse(status, headers, text));
        }
        if (bytes.length == 0) {
            response.end();
        } else {
            response.end(Buffer.buffer(bytes));
        }
    }
}
