package dev.satchel.http.connection;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections without a request for a time. A request may be silent for hours while a run
 * works, so the idle timeout of Vert.x does not fit. Until the first request has arrived, {@link
 * HeadDeadline} decides.
 */
public final class IdleConnections {
    private final Map<HttpConnection, Usage> connections = new ConcurrentHashMap<>();
    private final Duration limit;

    public IdleConnections(Duration limit) {
        this.limit = limit;
    }

    /** Must be called on the event loop of the connection, when its protocol is known. */
    public void add(HttpConnection connection) {
        connections.put(connection, new Usage(headDeadline(connection)));
        connection.closeHandler(_ -> connections.remove(connection));
    }

    /** Must be called on the event loop of the connection. */
    public void requestStarted(HttpServerRequest request) {
        Usage usage = connections.get(request.connection());
        if (usage != null) {
            usage.change(1);
            if (usage.head != null) {
                usage.head.headCompleted(request.version() == HttpVersion.HTTP_2);
            }
        }
    }

    /** The response of a request is complete; {@code body} may still arrive. */
    public void requestEnded(HttpServerRequest request, RequestBody body) {
        Usage usage = connections.get(request.connection());
        if (usage != null) {
            usage.change(-1);
            if (usage.head != null) {
                body.whenEnded(usage.head::requestEnded);
            }
        }
    }

    /** Must be called regularly. */
    public void closeIdle() {
        connections.forEach(
                (connection, usage) -> {
                    if (usage.isIdle(limit)) {
                        connection.close();
                    }
                });
    }

    /** Vert.x has no public method to find the handlers of one connection. */
    private static @Nullable HeadDeadline headDeadline(HttpConnection connection) {
        return connection instanceof ConnectionBase base
                ? base.channel().pipeline().get(HeadDeadline.class)
                : null;
    }

    /** How many requests a connection has in flight, and when that number last changed. */
    private static final class Usage {
        private final @Nullable HeadDeadline head;
        private int requests;
        private long since = System.nanoTime();

        Usage(@Nullable HeadDeadline head) {
            this.head = head;
        }

        synchronized void change(int by) {
            requests += by;
            since = System.nanoTime();
        }

        synchronized boolean isIdle(Duration limit) {
            return requests == 0 && System.nanoTime() - since >= limit.toNanos();
        }
    }
}
