package dev.satchel.http;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Closes connections on which nothing has been asked for long. A request may be silent for hours
 * while a run works, so the listener's own idle timeout is only for those who have asked nothing
 * yet: it is taken off at the first request, and from then on this looks after the connection.
 */
final class IdleConnections {
    private final Map<HttpConnection, Use> open = new ConcurrentHashMap<>();
    private final Duration limit;

    IdleConnections(Duration limit) {
        this.limit = limit;
    }

    /** To be called on the connection's own thread, once its protocol is known. */
    void opened(HttpConnection connection) {
        // There is no public way to end the idle timeout of one connection.
        if (connection instanceof ConnectionBase base) {
            ChannelPipeline handlers = base.channel().pipeline();
            if (handlers.get(IdleStateHandler.class) != null) {
                handlers.remove(IdleStateHandler.class);
            }
        }
        open.put(connection, new Use());
        connection.closeHandler(_ -> open.remove(connection));
    }

    void began(HttpConnection connection) {
        Use use = open.get(connection);
        if (use != null) {
            use.change(1);
        }
    }

    void ended(HttpConnection connection) {
        Use use = open.get(connection);
        if (use != null) {
            use.change(-1);
        }
    }

    /** To be called now and then. */
    void closeIdle() {
        open.forEach(
                (connection, use) -> {
                    if (use.isIdle(limit)) {
                        connection.close();
                    }
                });
    }

    /** The requests in flight on a connection, and since when there have been as many. */
    private static final class Use {
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
