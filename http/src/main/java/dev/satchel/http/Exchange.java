package dev.satchel.http;

import static tools.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES;

import dev.satchel.http.connection.ClientConnection;
import dev.satchel.http.connection.ConnectionTimeouts;
import dev.satchel.http.connection.FileTransfer;
import dev.satchel.http.connection.RequestBody;
import dev.satchel.http.connection.ResponseBody;
import dev.satchel.http.response.CompressedBody;
import dev.satchel.http.response.CurrentDate;
import dev.satchel.http.response.EntityTag;
import dev.satchel.http.security.Sha256;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * One request and its response, as a handler sees them. Reading and writing block the virtual
 * thread of the handler.
 */
public final class Exchange {
    private static final long MAX_JSON_BYTES = 1024 * 1024;

    /** A smaller answer is sent as it is. */
    private static final int LARGE_JSON_BYTES = 8 * 1024;

    private static final CurrentDate DATE = new CurrentDate();

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final JsonMapper json;
    private final JsonBodyMemory.Reservation room;
    private final String requestId;
    private final RequestBody body;
    private final ResponseWriter writer;
    private final ClientConnection client;
    private InputStream input;
    private Optional<IdempotentOperation> operation = Optional.empty();
    private Map<String, String> pathParameters = Map.of();
    private String route = "unmatched";

    /** Must be called on the event loop, with the request paused. */
    Exchange(
            HttpServerRequest request,
            Context context,
            JsonMapper json,
            ConnectionTimeouts timeouts,
            JsonBodyMemory.Reservation room) {
        this.request = request;
        this.response = request.response();
        this.json = json;
        this.room = room;
        this.requestId = RequestIds.of(request.getHeader("X-Request-Id"));
        this.body = new RequestBody(request, context, timeouts);
        this.input = body;
        ResponseBody output = new ResponseBody(response, isHead());
        this.writer = new ResponseWriter(response, output, isHead());
        this.client = new ClientConnection(request, output);
        response.exceptionHandler(_ -> {});
        response.closeHandler(_ -> client.closed("disconnect-" + requestId));
        writer.header("X-Request-Id", requestId);
        writer.header("X-Content-Type-Options", "nosniff");
        writer.header("Date", DATE.header());
    }

    public String requestId() {
        return requestId;
    }

    public String method() {
        return request.method().name();
    }

    /** Whether the client asks for the headers only, so that the body need not be made. */
    public boolean isHead() {
        return HttpMethod.HEAD.equals(request.method());
    }

    /** A request of HTTP/1.1 names its host exactly once; with two, proxies may disagree. */
    boolean namesOneHost() {
        return request.version() == HttpVersion.HTTP_2
                || request.headers().getAll("Host").size() == 1
                || (request.version() == HttpVersion.HTTP_1_0
                        && !request.headers().contains("Host"));
    }

    /** The path as sent, without the query. */
    public String path() {
        return request.path() == null ? "" : request.path();
    }

    /** The path as sent, with the query. */
    public String pathAndQuery() {
        return request.uri();
    }

    /** The host and port that the client has connected to: Host, or :authority in HTTP/2. */
    public Optional<String> authority() {
        return Optional.ofNullable(request.authority()).map(Object::toString);
    }

    /** The address of the connection, which may be that of a proxy. */
    public String remoteAddress() {
        return request.remoteAddress().hostAddress();
    }

    /** All values of a header that may be sent several times, in their order. */
    public List<String> headers(String name) {
        return request.headers().getAll(name);
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

    /** As {@link #readLenientJson(Class)}, of a request that need not have a body. */
    public <T> Optional<T> readOptionalJson(Class<T> type) throws IOException {
        PushbackInputStream body = new PushbackInputStream(input);
        int first = body.read();
        if (first < 0) {
            return Optional.empty();
        }
        body.unread(first);
        replaceBody(body);
        return Optional.of(readLenientJson(type));
    }

    private <T> T readJson(ObjectReader reader, Class<T> type, long maxBytes) throws IOException {
        return JsonBody.read(reader, room.admit(body(maxBytes), announced(-1), maxBytes), type);
    }

    /** The raw body; more than {@code maxBytes} is a 413, at once where Content-Length is more. */
    public InputStream body(long maxBytes) {
        if (announced(0) > maxBytes) {
            throw BoundedInputStream.tooLarge("the body", maxBytes);
        }
        return BoundedInputStream.refusingMoreThan(input, maxBytes, "the body");
    }

    /** Replaces the stream that handlers read the body from; it must give the same bytes. */
    public void replaceBody(InputStream same) {
        input = same;
    }

    /** What this request does at most once; empty when a repeated request repeats it. */
    public Optional<IdempotentOperation> operation() {
        return operation;
    }

    public void operation(IdempotentOperation only) {
        operation = Optional.of(only);
    }

    /** Receives every response of known size before it is sent, also errors; not streams. */
    public void onResponse(Consumer<StoredResponse> listener) {
        writer.onResponse(listener);
    }

    /** Runs when the client disconnects before the response is complete, or has already. */
    public void onDisconnect(Runnable listener) {
        client.onDisconnect(listener);
    }

    public boolean clientDisconnected() {
        return client.disconnected();
    }

    public Exchange header(String name, String value) {
        writer.header(name, value);
        return this;
    }

    /** Adds a header that may be repeated, such as Set-Cookie. */
    public Exchange addHeader(String name, String value) {
        response.headers().add(name, value);
        return this;
    }

    public void send(int status) {
        writer.send(status);
    }

    /** Sends a response that was sent before. */
    public void send(StoredResponse stored) {
        writer.send(stored);
    }

    public void json(int status, Object value) {
        writer.defaultHeader("Cache-Control", "no-store");
        byte[] bytes = json.writeValueAsBytes(value);
        if (status == 200 && method().equals("GET") && bytes.length >= LARGE_JSON_BYTES) {
            largeBody("application/json; charset=utf-8", bytes);
            return;
        }
        body(status, "application/json; charset=utf-8", bytes);
    }

    /**
     * Sends a body with an entity tag, compressed if the client accepts that, or 304 if the client
     * has it.
     */
    public void largeBody(String contentType, byte[] bytes) {
        EntityTag tag = new EntityTag(Sha256.hex(bytes).substring(0, 32));
        writer.header("ETag", "W/" + tag.header()); // the bytes sent depend on the encoding
        addHeader("Vary", "Accept-Encoding");
        if (header("If-None-Match").filter(tag::isIn).isPresent()) {
            send(304);
            return;
        }
        if (header("Accept-Encoding").filter(CompressedBody::isAccepted).isPresent()) {
            writer.header("Content-Encoding", "gzip");
            body(200, contentType, CompressedBody.gzip(bytes));
            return;
        }
        body(200, contentType, bytes);
    }

    public void body(int status, String contentType, byte[] bytes) {
        writer.body(status, contentType, bytes);
    }

    /** As {@link #body(int, String, byte[])}, from memory outside of the heap. */
    public void body(int status, String contentType, OffHeapBody body) {
        writer.body(status, contentType, body);
    }

    /** A body of known length; the caller writes exactly that much and closes it. */
    public OutputStream stream(int status, String contentType, long length) {
        room.close(); // a handler that streams has read its request
        return writer.stream(status, contentType, length);
    }

    /** A body of unknown length; the caller closes it. */
    public OutputStream stream(int status, String contentType) {
        room.close();
        return writer.stream(status, contentType);
    }

    /** Starts a stream of events. Nothing is sent before, so an error still has its own status. */
    public EventStream events() {
        room.close();
        return new EventStream(writer.unbuffered("text/event-stream; charset=utf-8"));
    }

    /** Starts a stream of NDJSON lines, each sent as it is written. */
    public OutputStream lines() {
        room.close();
        return writer.unbuffered("application/x-ndjson");
    }

    /** Whether {@link #file} works: the kernel cannot write frames of HTTP/2. */
    public boolean sendsFiles() {
        return request.version() != HttpVersion.HTTP_2;
    }

    /**
     * Sends a part of a file as the whole body, by the kernel. Returns when it is sent; fails when
     * the client disconnects or the file is too short.
     */
    public void file(int status, String contentType, FileChannel file, long offset, long length)
            throws IOException {
        header("Content-Type", contentType).header("Content-Length", Long.toString(length));
        response.setStatusCode(status);
        try {
            new FileTransfer(request, file, offset, length).run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            abort(); // before the caller closes the file that is being sent
            throw new InterruptedIOException("interrupted while sending a file");
        }
    }

    /** Whether the status has been sent. */
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

    RequestBody receivedBody() {
        return body;
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

    /** A handler has failed because its client is disconnected. */
    void writeFailed() {
        client.writeFailed();
    }

    /** Ends this response before it is complete; other requests on the connection continue. */
    public void abort() {
        client.abort();
    }

    void finish() {
        writer.finish();
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
        try {
            return header("Content-Length").map(Long::parseLong).orElse(otherwise);
        } catch (NumberFormatException e) {
            throw new SatchelException(ErrorCode.INVALID_REQUEST, "Content-Length is not a number");
        }
    }
}
