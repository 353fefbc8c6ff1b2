package dev.satchel.http;

import dev.satchel.http.connection.ConnectionTimeouts;
import dev.satchel.http.connection.HeadDeadlineTransport;
import dev.satchel.http.connection.HttpOptions;
import dev.satchel.http.connection.IdleConnections;
import dev.satchel.http.response.CrossOrigin;
import dev.satchel.http.tracing.TraceContext;
import io.netty.channel.unix.Errors;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import tools.jackson.databind.json.JsonMapper;

/**
 * The HTTP server. Each request runs on a virtual thread of its own and gets exactly one response.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger ACCESS = LoggerFactory.getLogger("satchel.access");

    /** How long a client may continue to send a refused body before its connection is closed. */
    private static final long LINGER_MILLIS = 2_000;

    /** How long a large JSON body waits for memory that other requests hold. */
    private static final Duration JSON_MEMORY_TIMEOUT = Duration.ofSeconds(20);

    /** The largest part of a body that is read at once; each wakes its reader once. */
    private static final int CHUNK_BYTES = 64 * 1024;

    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x20\\x7f-\\x9f]");

    private final Vertx vertx;
    private final Router router;
    private final JsonMapper json;
    private final RequestObserver observer;
    private final ConnectionTimeouts timeouts;
    private final CrossOrigin crossOrigin;
    private final IdleConnections connections;
    private final ErrorWriter errors;
    private final JsonBodyMemory jsonMemory =
            new JsonBodyMemory(Runtime.getRuntime().maxMemory(), JSON_MEMORY_TIMEOUT);
    private final Set<Thread> inFlight = ConcurrentHashMap.newKeySet();
    private final io.vertx.core.http.HttpServer server;

    private HttpServer(
            Router router,
            JsonMapper json,
            RequestObserver observer,
            HttpOptions offered,
            HttpServerOptions options) {
        this.router = router;
        this.json = json;
        this.observer = observer;
        this.timeouts = offered.timeouts();
        this.crossOrigin = offered.crossOrigin();
        this.connections = new IdleConnections(timeouts.idle());
        this.errors = new ErrorWriter(json);
        FileSystemOptions noFileCache =
                new FileSystemOptions()
                        .setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false);
        this.vertx =
                Vertx.builder()
                        .with(new VertxOptions().setFileSystemOptions(noFileCache))
                        .withTransport(new HeadDeadlineTransport(timeouts.head()))
                        .build();
        this.server =
                vertx.createHttpServer(options)
                        .connectionHandler(connections::add)
                        .requestHandler(this::accept);
        vertx.setPeriodic(timeouts.idle().toMillis() / 10, _ -> connections.closeIdle());
    }

    /** Starts to listen; port 0 is any free port. Throws {@link BindException} for a used one. */
    public static HttpServer start(
            String host, int port, Router router, JsonMapper json, RequestObserver observer)
            throws IOException, InterruptedException {
        return start(host, port, router, json, observer, HttpOptions.STANDARD);
    }

    public static HttpServer start(
            String host,
            int port,
            Router router,
            JsonMapper json,
            RequestObserver observer,
            HttpOptions offered)
            throws IOException, InterruptedException {
        HttpServerOptions options =
                new HttpServerOptions()
                        .setHost(host)
                        .setPort(port)
                        .setCompressionSupported(false)
                        .setHandle100ContinueAutomatically(false)
                        .setHttp2ClearTextEnabled(offered.cleartextHttp2())
                        .setMaxChunkSize(CHUNK_BYTES)
                        .setTcpNoDelay(true);
        HttpServer server = new HttpServer(router, json, observer, offered, options);
        try {
            server.server.listen().toCompletionStage().toCompletableFuture().get();
            return server;
        } catch (ExecutionException e) {
            server.close();
            if (e.getCause() instanceof Errors.NativeIoException cause) {
                throw bindException(cause);
            }
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException("cannot listen on " + host + ":" + port, e.getCause());
        }
    }

    /** The native transport of Netty throws an exception type of its own. */
    private static BindException bindException(Errors.NativeIoException cause) {
        BindException exception = new BindException(cause.getMessage());
        exception.initCause(cause);
        return exception;
    }

    public int port() {
        return server.actualPort();
    }

    /** Stops accepting, waits for the requests in flight at most this long, interrupts the rest. */
    public void close(Duration grace) {
        await(server.shutdown(grace.toMillis(), TimeUnit.MILLISECONDS), grace.plusSeconds(1));
        inFlight.forEach(Thread::interrupt);
        await(vertx.close(), Duration.ofSeconds(2));
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }

    private void accept(HttpServerRequest request) {
        request.pause();
        connections.requestStarted(request);
        Context context = vertx.getOrCreateContext();
        JsonBodyMemory.Reservation reservation = jsonMemory.newReservation();
        Exchange exchange = new Exchange(request, context, json, timeouts, reservation);
        // The rest of a refused body is read for a time, so that the client reads the error.
        request.response()
                .endHandler(
                        _ -> {
                            if (!exchange.bodyFullyRead()) {
                                exchange.discardBody();
                                vertx.setTimer(LINGER_MILLIS, _ -> closeUnread(request, exchange));
                            }
                        });
        // Last, since a fast handler may have answered before the next statement here.
        Thread.ofVirtual()
                .name("request-" + exchange.requestId())
                .start(
                        () -> {
                            try {
                                serveTraced(exchange, reservation);
                            } finally {
                                connections.requestEnded(request, exchange.receivedBody());
                            }
                        });
    }

    private static void closeUnread(HttpServerRequest request, Exchange exchange) {
        if (!exchange.bodyFullyRead()) {
            request.connection().close();
        }
    }

    private void serveTraced(Exchange exchange, JsonBodyMemory.Reservation reservation) {
        Optional<TraceContext> trace = observer.trace(exchange.header(TraceContext.HEADER));
        if (trace.isEmpty()) {
            serve(exchange, reservation);
            return;
        }
        trace.get().run(() -> serve(exchange, reservation));
    }

    private void serve(Exchange exchange, JsonBodyMemory.Reservation reservation) {
        long start = System.nanoTime();
        inFlight.add(Thread.currentThread());
        MDC.put("requestId", exchange.requestId());
        try {
            if (!isPreflight(exchange)) {
                handle(exchange);
            }
            exchange.finish();
        } catch (Throwable failure) {
            errors.write(exchange, failure, router);
        } finally {
            reservation.close();
            inFlight.remove(Thread.currentThread());
            completed(exchange, Duration.ofNanos(System.nanoTime() - start));
            MDC.clear();
        }
    }

    /** Allows pages of other origins to read the response, or answers what they ask before. */
    private boolean isPreflight(Exchange exchange) {
        if (!crossOrigin.isOffered()) {
            return false;
        }
        exchange.addHeader("Vary", "Origin");
        Map<String, String> allowed = crossOrigin.headers(exchange.header("Origin").orElse(""));
        allowed.forEach(exchange::header);
        boolean preflight =
                !allowed.isEmpty()
                        && exchange.method().equals("OPTIONS")
                        && exchange.header("Access-Control-Request-Method").isPresent();
        if (preflight) {
            String wanted = exchange.header("Access-Control-Request-Headers").orElse("");
            CrossOrigin.preflight(wanted).forEach(exchange::header);
            exchange.send(204);
        }
        return preflight;
    }

    private void handle(Exchange exchange) throws Exception {
        if (!exchange.namesOneHost()) {
            throw new SatchelException(
                    ErrorCode.INVALID_REQUEST, "a request has exactly one header Host");
        }
        Router.Match match = router.match(exchange.method(), exchange.path());
        exchange.matched(match);
        match.route().handler().handle(exchange);
    }

    /** Does not log the query or headers: both may hold secrets. */
    private void completed(Exchange exchange, Duration duration) {
        observer.answered(exchange.method(), exchange.route(), exchange.status(), duration);
        ACCESS.info(
                "method={} path={} status={} bytes={} micros={} gone={}",
                exchange.method(),
                withoutControls(exchange.path()),
                exchange.status(),
                exchange.bytesWritten(),
                duration.toNanos() / 1000,
                exchange.clientDisconnected());
    }

    /** So that a request cannot write lines of its own into the log, or move the cursor. */
    private static String withoutControls(String path) {
        return CONTROL.matcher(path)
                .replaceAll(found -> "%%%02X".formatted((int) found.group().charAt(0)));
    }

    private static void await(io.vertx.core.Future<?> future, Duration limit) {
        try {
            future.toCompletionStage()
                    .toCompletableFuture()
                    .get(limit.toMillis() + 1, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LoggerFactory.getLogger(HttpServer.class)
                    .warn("the HTTP server did not stop cleanly", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
