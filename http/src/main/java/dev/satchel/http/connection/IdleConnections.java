package dev.satchel.http.connection;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Closes connections without a request for a time. A request may be silent for hours while a run
 * works, so the idle timeout of Vert.x applies only until the first request has arrived. After that
 * this class decides.
 */
public final class IdleConnections {
    private final Map<HttpConnection, Usage> connections = new ConcurrentHashMap<>();
    private final Duration limit;

    public IdleConnections(Duration limit) {
        this.limit = limit;
    }

    /** Must be called on the event loop of the connection, when its protocol is known. */
    public void add(HttpConnection connection) {
        // Vert.x has no public method to end the idle timeout of one connection.
        if (connection instanceof ConnectionBase base) {
            ChannelPipeline handlers = base.channel().pipeline();
            if (handlers.get(IdleStateHandler.class) != null) {
                handlers.remove(IdleStateHandler.class);
            }
        }
        connections.put(connection, new Usage());
        connection.closeHandler(_ -> connections.remove(connection));
    }

    public void requestStarted(HttpConnection connection) {
        Usage usage = connections.get(connection);
        if (usage != null) {
            usage.change(1);
        }
    }

    public void requestEnded(HttpConnection connection) {
        Usage usage = connections.get(connection);
        if (usage != null) {
            usage.change(-1);
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

    /** How many requests a connection has in flight, and when that number last changed. */
    private static final class Usage {
        private int requests;
        private long since = System.nanoTime();

        synchronized void change(int by) {
            requests += by;
            since = System.nanoTime();
        }

        synchronized boolean isIdle(Duration limit) {
            return requests == 0 && System.nanoTime() - since >= limit.toNanos();
        }
    }
}
