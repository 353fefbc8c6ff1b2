package dev.satchel.http.connection;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The connection to the client of one exchange. Each listener runs once, when the client
 * disconnects before its response is complete.
 */
public final class ClientConnection {
    private final HttpServerRequest request;
    private final ResponseBody output;
    private final Queue<Runnable> listeners = new ConcurrentLinkedQueue<>();
    private volatile boolean disconnected;
    private volatile boolean aborted;

    public ClientConnection(HttpServerRequest request, ResponseBody output) {
        this.request = request;
        this.output = output;
    }

    public boolean disconnected() {
        return disconnected;
    }

    public void onDisconnect(Runnable listener) {
        listeners.add(listener);
        if (disconnected) {
            runListeners();
        }
    }

    /** On the event loop: the connection has closed. Listeners may block, so they run elsewhere. */
    public void closed(String threadName) {
        if (request.response().ended()) {
            return;
        }
        output.clientDisconnected();
        if (!aborted) {
            disconnected = true;
            Thread.ofVirtual().name(threadName).start(this::runListeners);
        }
    }

    /** A handler could not write, perhaps before {@link #closed} was called. */
    public void writeFailed() {
        if (!aborted) {
            disconnected = true;
            runListeners();
        }
        abort();
    }

    /** Ends this response before it is complete. No disconnect listener runs for that. */
    public void abort() {
        aborted = true;
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset(); // other requests share the connection
            return;
        }
        request.connection().close();
    }

    private void runListeners() {
        for (Runnable next = listeners.poll(); next != null; next = listeners.poll()) {
            next.run();
        }
    }
}
