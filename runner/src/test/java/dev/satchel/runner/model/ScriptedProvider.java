package dev.satchel.runner.model;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.satchel.protocol.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** An endpoint of a provider on loopback with scripted responses; it stores the requests. */
public final class ScriptedProvider implements AutoCloseable {
    /** How one request is answered. */
    @FunctionalInterface
    public interface Answer {
        void write(HttpExchange exchange) throws IOException;
    }

    /** What one request was. */
    public record Asked(String path, Headers headers, JsonNode body) {}

    private final HttpServer server;
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private volatile Answer otherwise =
            exchange -> send(exchange, 400, "text/plain", "nothing scripted");
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch abandoned = new CountDownLatch(1);

    private final ModelWireFormat wire;

    public ScriptedProvider() throws IOException {
        this(new ModelWireFormat.OpenAi());
    }

    /** The streams have the framing of a wire format. */
    public ScriptedProvider(ModelWireFormat wire) throws IOException {
        this.wire = wire;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public List<Asked> asked() {
        return List.copyOf(asked);
    }

    public void thenStream(String events) {
        answers.add(exchange -> send(exchange, 200, wire.contentType(), wire.encode(events)));
    }

    public void thenRefuse(int status, String json) {
        answers.add(exchange -> send(exchange, status, "application/json", json));
    }

    /** Refuses every request that is not scripted. */
    public void refuseAll(int status, String json) {
        otherwise = exchange -> send(exchange, status, "application/json", json);
    }

    public void then(Answer answer) {
        answers.add(answer);
    }

    /** Accepts the request and sends nothing, not even headers. */
    public void thenHang(CountDownLatch reached) {
        answers.add(
                _ -> {
                    reached.countDown();
                    awaitClosing();
                });
    }

    /** Sends the beginning of an answer and then nothing more. */
    public void thenStall(String events) {
        answers.add(
                exchange -> {
                    open(exchange).flush();
                    exchange.getResponseBody().write(wire.encode(events));
                    exchange.getResponseBody().flush();
                    awaitClosing();
                });
    }

    /** Repeats events until the client disconnects. */
    public void thenStreamForEver(String events) {
        answers.add(
                exchange -> {
                    try (OutputStream out = open(exchange)) {
                        while (closing.getCount() > 0) {
                            out.write(wire.encode(events));
                            out.flush();
                        }
                    } catch (IOException _) {
                        abandoned.countDown();
                    }
                });
    }

    /** Whether the client of an endless stream disconnects within a generous time. */
    public boolean awaitAbandoned() throws InterruptedException {
        return abandoned.await(20, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.add(
                    new Asked(
                            exchange.getRequestURI().getPath(),
                            exchange.getRequestHeaders(),
                            body(exchange)));
            Answer next = answers.poll();
            (next == null ? otherwise : next).write(exchange);
        }
    }

    private static JsonNode body(HttpExchange exchange) throws IOException {
        byte[] bytes = exchange.getRequestBody().readAllBytes();
        return Json.MAPPER.readTree(bytes.length == 0 ? new byte[] {'{', '}'} : bytes);
    }

    private OutputStream open(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", wire.contentType());
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }

    static void send(HttpExchange exchange, int status, String type, String body)
            throws IOException {
        send(exchange, status, type, body.getBytes(StandardCharsets.UTF_8));
    }

    static void send(HttpExchange exchange, int status, String type, byte[] bytes)
            throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private void awaitClosing() {
        try {
            closing.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
