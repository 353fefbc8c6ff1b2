package dev.satchel.bench.stream;

import dev.satchel.bench.BenchmarkEnvironment;
import dev.satchel.bench.process.ChildProcess;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.parsetools.RecordParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The anchor of the cost of a line: a proxy with nothing but Vert.x that passes the lines of a
 * source on as server-sent events. It stores nothing, knows no callers and reads no line.
 */
final class VertxProxyProcess {
    private static final String READY = "Proxy listens on port ";
    private static final int CONNECTIONS = 20_000;

    private final HttpClient source;
    private final int port;

    private VertxProxyProcess(HttpClient source, int port) {
        this.source = source;
        this.port = port;
    }

    /** Starts it as a process with the flags of a server; it prints its port. */
    static ChildProcess start(BenchmarkEnvironment place, int sourcePort) throws IOException {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:+UseCompactObjectHeaders",
                        "-cp",
                        System.getProperty("java.class.path"),
                        VertxProxyProcess.class.getName(),
                        Integer.toString(sourcePort));
        return ChildProcess.start(
                command, Map.of(), READY, place.fresh("proxy").resolve("proxy.log"));
    }

    public static void main(String[] arguments) {
        Vertx vertx = Vertx.vertx();
        HttpClient source = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(CONNECTIONS));
        VertxProxyProcess proxy = new VertxProxyProcess(source, Integer.parseInt(arguments[0]));
        HttpServer server =
                vertx.createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                        .requestHandler(proxy::pass);
        server.listen()
                .onSuccess(listening -> System.out.println(READY + listening.actualPort()))
                .onFailure(VertxProxyProcess::end);
    }

    private void pass(HttpServerRequest request) {
        source.request(HttpMethod.POST, port, "127.0.0.1", request.path())
                .compose(asked -> asked.send("{}"))
                .onSuccess(lines -> passOn(lines, request.response()))
                .onFailure(VertxProxyProcess::end);
    }

    private static void passOn(HttpClientResponse lines, HttpServerResponse events) {
        events.setChunked(true).putHeader("Content-Type", "text/event-stream");
        events.writeHead(); // a reader counts as open when it has been answered
        AtomicLong number = new AtomicLong();
        lines.handler(
                RecordParser.newDelimited(
                        "\n",
                        line -> {
                            String id = "id: " + number.incrementAndGet();
                            events.write(id + "\ndata: " + line + "\n\n");
                        }));
        lines.endHandler(_ -> events.end());
    }

    private static void end(Throwable failure) {
        System.err.println("the proxy failed: " + failure);
        System.exit(1);
    }
}
