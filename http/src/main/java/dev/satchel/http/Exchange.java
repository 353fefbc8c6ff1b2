package dev.satchel.http;

import static tools.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES;

import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * One request and its answer, as a handler sees them. Reading and writing block the handler's
 * virtual thread.
 */
public final class Exchange {
    private static final long MAX_JSON_BYTES = 1024 * 1024;
    private static final byte[] NOTHING = new byte[0];

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final JsonMapper json;
    private final BodyRoom.Guest room;
    private final String requestId;
    private final RequestBody body;
    private final ResponseBody output;
    private final Listeners disconnectListeners = new Listeners();
    private InputStream input;
    private @Nullable Consumer<Answer> answerListener;
    private Optional<Operation> operation = Optional.empty();
    private Map<String, String> pathParameters = Map.of();
    private String route = "unmatched";
    private volatile boolean clientGone;
    private volatile boolean broken;

    /** To be called on the event loop, with the request paused. */
    Exchange(
            HttpServerRequest request,
            Context context,
            JsonMapper json,
            Duration silence,
            BodyRoom.Guest room) {
        this.request = request;
        this.response = request.response();
        this.json = json;
        this.room = room;
        this.requestId = RequestIds.of(request.getHeader("X-Request-Id"));
        this.body = new RequestBody(request, context, silence);
        this.input = body;
        this.output = new ResponseBody(response, isHead());
        response.exceptionHandler(_ -> {});
        response.closeHandler(_ -> disconnected());
        response.putHeader("X-Request-Id", requestId);
        response.putHeader("X-Content-Type-Options", "nosniff");
    }

    public String requestId() {
        return requestId;
    }

    public String method() {
        return request.method().name();
    }

    /** The path as sent, without the query. */
    public String path() {
        return request.path() == null ? "" : request.path();
    }

    /** The path as sent, with the query. */
    public String target() {
        return request.uri();
    }

    /** The host and port the client believes it talks to: Host, or :authority in HTTP/2. */
    public Optional<String> authority() {
        return Optional.ofNullable(request.authority()).map(Object::toString);
    }

    public String remoteAddress() {
        return request.remoteAddress().hostAddress();
    }

    public String pathParameter(String name) {
        String value = pathParameters.get(name);
        if (value == null) {
            throw new IllegalStateException("the route has no parameter " + name);
        }
        return value;
    }

    public Optional<String> query(String name) {
        return Optional.ofNullable(parameters().get(name));
    }

    /** Every value of a query parameter, so that a handler can refuse a repeated one. */
    public List<String> queryAll(String name) {
        return parameters().getAll(name);
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(request.getHeader(name));
    }

    public Optional<String> cookie(String name) {
        return Optional.ofNullable(request.getCookie(name)).map(cookie -> cookie.getValue());
    }

    /** Reads the body of one of our own routes: an unknown field is refused by its name. */
    public <T> T readJson(Class<T> type) throws IOException {
        return readJson(json.reader(FAIL_ON_UNKNOWN_PROPERTIES), type, MAX_JSON_BYTES);
    }

    /** Reads the body of a route that clients of other projects call: ignores unknown fields. */
    public <T> T readLenientJson(Class<T> type) throws IOException {
        return readLenientJson(type, MAX_JSON_BYTES);
    }

    /** For the few bodies that may be long, such as a dispatch with its history. */
    public <T> T readLenientJson(Class<T> type, long maxBytes) throws IOException {
        return readJson(json.reader().without(FAIL_ON_UNKNOWN_PROPERTIES), type, maxBytes);
    }

    private <T> T readJson(ObjectReader reader, Class<T> type, long maxBytes) throws IOException {
        return JsonBody.read(reader, room.admit(body(maxBytes), announced(-1), maxBytes), type);
    }

    /**
     * The raw body; more than {@code maxBytes} is a 413, before reading where the client says so up
     * front.
     */
    public InputStream body(long maxBytes) {
        if (announced(0) > maxBytes) {
            throw LimitedStream.tooLarge("the body", maxBytes);
        }
        return new LimitedStream(input, maxBytes, "the body");
    }

    /** Lets handlers read this instead of what comes in: the same bytes, watched or held. */
    public void replaceBody(InputStream same) {
        input = same;
    }

    /** What this request does only once; empty for one that may do it again. */
    public Optional<Operation> operation() {
        return operation;
    }

    public void operation(Operation only) {
        operation = Optional.of(only);
    }

    /** Hears every answer of known size before it is sent, refusals too; streams are not heard. */
    public void onAnswer(Consumer<Answer> listener) {
        answerListener = listener;
    }

    public Multipart multipart(long maxBytes) throws IOException {
        return Multipart.of(header("Content-Type").orElse(""), body(maxBytes));
    }

    /**
     * Runs when the client goes away before the answer is complete; at once when it already has.
     */
    public void onDisconnect(Runnable listener) {
        disconnectListeners.add(listener);
        if (clientGone) {
            disconnectListeners.tell();
        }
    }

    public Exchange header(String name, String value) {
        response.putHeader(name, value);
        return this;
    }

    /** Adds a header that may stand more than once, such as Set-Cookie. */
    public Exchange addHeader(String name, String value) {
        response.headers().add(name, value);
        return this;
    }

    public void send(int status) {
        end(status, NOTHING);
    }

    /** Gives an answer that was given before. */
    public void send(Answer answer) {
        answer.headers().forEach(this::header);
        end(answer.status(), answer.body().getBytes(StandardCharsets.UTF_8));
    }

    public void json(int status, Object value) {
        if (!response.headers().contains("Cache-Control")) {
            header("Cache-Control", "no-store");
        }
        body(status, "application/json; charset=utf-8", json.writeValueAsBytes(value));
    }

    public void body(int status, String contentType, byte[] bytes) {
        header("Content-Type", contentType);
        if (isHead()) {
            header("Content-Length", Integer.toString(bytes.length));
            end(status, NOTHING);
            return;
        }
        end(status, bytes);
    }

    /** As {@link #body(int, String, byte[])}, of what was gathered before. */
    public void body(int status, String contentType, GatheredBody body) {
        header("Content-Type", contentType)
                .header("Content-Length", Integer.toString(body.length()));
        if (isHead()) {
            end(status, NOTHING);
            return;
        }
        body.sendTo(response.setStatusCode(status));
    }

    public void redirect(String location) {
        header("Location", location);
        end(303, NOTHING);
    }

    /** A body of known length; the caller writes exactly that much and closes it. */
    public OutputStream stream(int status, String contentType, long length) {
        header("Content-Length", Long.toString(length));
        return begin(status, contentType);
    }

    /** A body of unknown length; whoever asks for it closes it. */
    public OutputStream stream(int status, String contentType) {
        response.setChunked(true);
        return begin(status, contentType);
    }

    /** Whether {@link #file} works: frames of HTTP/2 are not written by the kernel. */
    boolean sendsFiles() {
        return request.version() != HttpVersion.HTTP_2;
    }

    /**
     * A part of a file as the whole body, sent by the kernel without passing through us. Returns
     * when it is sent, or fails when the client has gone or the file is too short.
     */
    void file(int status, String contentType, FileChannel file, long offset, long length)
            throws IOException {
        header("Content-Type", contentType).header("Content-Length", Long.toString(length));
        response.setStatusCode(status);
        try {
            new FileSending(request, file, offset, length).run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abort(); // before the caller closes the file under the sender
            throw new InterruptedIOException("interrupted while sending a file");
        }
    }

    /**
     * Starts a stream of events. Nothing is sent before this call, so a refusal can still be a
     * plain error.
     */
    public EventStream events() {
        noBuffering();
        return new EventStream(stream(200, "text/event-stream; charset=utf-8"));
    }

    /** Starts a stream of NDJSON lines, each to be flushed as it is written. */
    public OutputStream lines() {
        noBuffering();
        return stream(200, "application/x-ndjson");
    }

    public boolean clientGone() {
        return clientGone;
    }

    /** Whether it is too late for another status. */
    public boolean started() {
        return response.headWritten();
    }

    int status() {
        return response.getStatusCode();
    }

    long bytesWritten() {
        return response.bytesWritten();
    }

    String route() {
        return route;
    }

    boolean bodyFullyRead() {
        return body.fullyRead();
    }

    void discardBody() {
        body.discard();
    }

    void matched(Router.Match match) {
        pathParameters = match.parameters();
        route = match.route().template();
    }

    /**
     * A handler has run into the closed connection, perhaps before we were told of it: those who
     * listen hear of it all the same.
     */
    void lost() {
        if (!broken) {
            clientGone = true;
            disconnectListeners.tell();
        }
        abort();
    }

    /** Breaks off this answer only: over HTTP/2 others may share the connection. */
    void abort() {
        broken = true; // our doing, so nobody's disconnect listener shall hear of it
        if (request.version() == HttpVersion.HTTP_2) {
            response.reset(); // its neighbours on the connection live on
            return;
        }
        request.connection().close();
    }

    /** A handler that returned without an answer has nothing to say: 204. */
    void finish() {
        if (!response.ended() && !response.closed() && !response.headWritten()) {
            send(204);
        }
        output.close();
    }

    /** Whether only the head of the answer is asked for: what costs much is better not made. */
    public boolean isHead() {
        return HttpMethod.HEAD.equals(request.method());
    }

    private void end(int status, byte[] bytes) {
        response.setStatusCode(status);
        if (answerListener != null) {
            Map<String, String> headers = new LinkedHashMap<>();
            response.headers().forEach(headers::put);
            String text = new String(bytes, StandardCharsets.UTF_8);
            answerListener.accept(new Answer(status, headers, text));
        }
        if (bytes.length == 0) {
            response.end();
        } else {
            response.end(Buffer.buffer(bytes));
        }
    }

    private OutputStream begin(int status, String contentType) {
        room.close(); // who answers piece by piece has read what was asked
        header("Content-Type", contentType);
        response.setStatusCode(status).writeHead();
        return output;
    }

    private void noBuffering() {
        header("Cache-Control", "no-cache, no-transform");
        header("X-Accel-Buffering", "no");
    }

    /** Listeners may block, so they do not run on the event loop. */
    private void disconnected() {
        if (response.ended()) {
            return;
        }
        output.clientGone();
        if (broken) {
            return;
        }
        clientGone = true;
        Thread.ofVirtual().name("disconnect-" + requestId).start(disconnectListeners::tell);
    }

    private MultiMap parameters() {
        try {
            return request.params();
        } catch (IllegalArgumentException e) {
            throw new SatchelException(
                    ErrorCode.INVALID_REQUEST, "the query is not a valid url component");
        }
    }

    private long announced(long otherwise) {
        return ContentLength.of(header("Content-Length"), otherwise);
    }
}
