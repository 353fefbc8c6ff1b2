package dev.satchel.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests that wait for an answer, and bodies that are being read. Closing ends all of them, which
 * {@link HttpClient} itself cannot do in Java 17. Safe for many threads.
 */
final class OpenExchanges implements AutoCloseable {
    private final Map<Long, CompletableFuture<?>> requests = new ConcurrentHashMap<>();
    private final AtomicLong sent = new AtomicLong();
    private final Set<InputStream> bodies =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    private volatile boolean closed;

    /** The caller closes the body. */
    HttpResponse<InputStream> send(HttpClient http, HttpRequest request)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> answer = http.sendAsync(request, body());
        long number = sent.incrementAndGet();
        requests.put(number, answer);
        try {
            if (closed) {
                answer.cancel(true);
            }
            return answer.get();
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        } catch (CancellationException e) {
            throw new IOException("the client was closed", e);
        } catch (ExecutionException e) {
            throw failure(e);
        } finally {
            requests.remove(number);
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        requests.values().forEach(request -> request.cancel(true));
        List<InputStream> open;
        synchronized (bodies) {
            open = List.copyOf(bodies);
        }
        for (InputStream body : open) {
            try {
                body.close();
            } catch (IOException e) {
                // its reader learns it
            }
        }
    }

    private BodyHandler<InputStream> body() {
        return head -> BodySubscribers.mapping(BodySubscribers.ofInputStream(), Body::new);
    }

    private static IOException failure(ExecutionException e) {
        return e.getCause() instanceof IOException cause
                ? cause
                : new IOException(String.valueOf(e.getCause()), e);
    }

    private final class Body extends FilterInputStream {
        Body(InputStream body) {
            super(body);
            bodies.add(this);
        }

        @Override
        public void close() throws IOException {
            bodies.remove(this);
            super.close();
        }
    }
}
