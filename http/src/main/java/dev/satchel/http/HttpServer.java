package dev.satchel.http;

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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import tools.jackson.databind.json.JsonMapper;

/**
 * Listens, gives every request a virtual thread, and sees to it that each gets exactly one answer.
 */
public final class HttpServer implements AutoCloseable {
    private static final Logger ACCESS = LoggerFactory.getLogger("satchel.access");

    /** How long a refused upload may go on sending before its connection is cut. */
    private static final long LINGER_MILLIS = 2_000;

    /** How long a large body waits until others have been dealt with. */
    private static final Duration ROOM_PATIENCE = Duration.ofSeconds(20);

    /** A body comes in pieces of at most this; each wakes its reader once. */
    private static final int CHUNK_BYTES = 64 * 1024;

    private final Vertx vertx;
    private final Router router;
    private final JsonMapper json;
    private final RequestObserver observer;
    private final ConnectionTimeouts patience;
    private final IdleConnections connections;
    private final ErrorWriter errors;
    private final JsonBodyMemory room =
            new JsonBodyMemory(Runtime.getRuntime().maxMemory(), ROOM_PATIENCE);
    private final Set<Thread> inFlight = ConcurrentHashMap.newKeySet();
    private final io.vertx.core.http.HttpServer server;

    private HttpServer(
            Router router,
            JsonMapper json,
            RequestObserver observer,
            ConnectionTimeouts patience,
            HttpServerOptions options) {
        this.router = router;
        this.json = json;
        this.observer = observer;
        this.patience = patience;
        this.connections = new IdleConnections(patience.idle());
        this.errors = new ErrorWriter(json);
        FileSystemOptions noFileCache =
                new FileSystemOptions()
                        .setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false);
        this.vertx =
                Vertx.vertx(
                        new VertxOptions()
                                .setPreferNativeTransport(true) // where there is one; see Cork
                                .setFileSystemOptions(noFileCache));
        this.server =
                vertx.createHttpServer(options)
                        .connectionHandler(connections::opened)
                        .requestHandler(this::accept);
        vertx.setPeriodic(patience.idle().toMillis() / 10, _ -> connections.closeIdle());
    }

    /** Starts to listen; port 0 takes a free one. A port in use is a {@link BindException}. */
    public static HttpServer start(
            String host, int port, Router router, JsonMapper json, RequestObserver observer)
            throws IOException, InterruptedException {
        return start(host, port, router, json, observer, ConnectionTimeouts.USUAL);
    }

    static HttpServer start(
            String host,
            int port,
            Router router,
            JsonMapper json,
            RequestObserver observer,
            ConnectionTimeouts patience)
            throws IOException, InterruptedException {
        HttpServerOptions options =
                new HttpServerOptions()
                        .setHost(host)
                        .setPort(port)
                        .setCompressionSupported(false)
                        .setHandle100ContinueAutomatically(false)
                        .setMaxChunkSize(CHUNK_BYTES)
                        .setIdleTimeout((int) patience.head().toMillis())
                        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                        .setTcpNoDelay(true);
        HttpServer server = new HttpServer(router, json, observer, patience, options);
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

    /** The native transport has a name of its own for what Java calls so. */
    private static BindException bindException(Errors.NativeIoException cause) {
        BindException exception = new BindException(cause.getMessage());
        exception.initCause(cause);
        return exception;
    }

    public int port() {
        return server.actualPort();
    }

    /** Stops accepting, gives requests in flight a moment, then interrupts them. */
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
        connections.began(request.connection());
        Context context = vertx.getOrCreateContext();
        JsonBodyMemory.Guest guest = room.guest();
        Exchange exchange = new Exchange(request, context, json, patience.upload(), guest);
        // A refused body is drained for a moment, so that the client gets to read the refusal.
        request.response()
                .endHandler(
                        _ -> {
                            if (!exchange.bodyFullyRead()) {
                                exchange.discardBody();
                                vertx.setTimer(LINGER_MILLIS, _ -> closeUnread(request, exchange));
                            }
                        });
        // Last: a quick handler may have answered before the next statement here.
        Thread.ofVirtual()
                .name("request-" + exchange.requestId())
                .start(
                        () -> {
                            try {
                                serve(exchange, guest);
                            } finally {
                                connections.ended(request.connection());
                            }
                        });
    }

    private static void closeUnread(HttpServerRequest request, Exchange exchange) {
        if (!exchange.bodyFullyRead()) {
            request.connection().close();
        }
    }

    private void serve(Exchange exchange, JsonBodyMemory.Guest guest) {
        long start = System.nanoTime();
        inFlight.add(Thread.currentThread());
        MDC.put("requestId", exchange.requestId());
        try {
            Router.Match match = router.match(exchange.method(), exchange.path());
            exchange.matched(match);
            match.route().handler().handle(exchange);
            exchange.finish();
        } catch (Throwable failure) {
            errors.write(exchange, failure);
        } finally {
            guest.close();
            inFlight.remove(Thread.currentThread());
            settled(exchange, Duration.ofNanos(System.nanoTime() - start));
            MDC.clear();
        }
    }

    /** Neither query nor headers are logged: both may hold secrets. */
    private void settled(Exchange exchange, Duration duration) {
        observer.answered(exchange.method(), exchange.route(), exchange.status(), duration);
        ACCESS.info(
                "method={} path={} status={} bytes={} micros={} gone={}",
                exchange.method(),
                exchange.path(),
                exchange.status(),
                exchange.bytesWritten(),
                duration.toNanos() / 1000,
                exchange.clientGone());
    }

    private static void await(io.vertx.core.Future<?> future, Duration limit) {
        try {
            future.toCompletionStage()
                    .toCompletableFuture()
                    .get(limit.toMillis() + 1, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LoggerFactory.getLogger(HttpServer.class).warn("the listener did not stop cleanly", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
