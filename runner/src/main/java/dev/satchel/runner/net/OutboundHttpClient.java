package dev.satchel.runner.net;

import dev.satchel.http.HttpClients;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The connections of a runner to the servers it calls. */
public final class OutboundHttpClient implements AutoCloseable {
    private final HttpClient http;

    public OutboundHttpClient() {
        this(builder());
    }

    /** All of them through this proxy, which looks up the names in our place. */
    public OutboundHttpClient(InetSocketAddress proxy) {
        this(builder().proxy(ProxySelector.of(proxy)));
    }

    private OutboundHttpClient(HttpClient.Builder builder) {
        this.http = builder.build();
    }

    private static HttpClient.Builder builder() {
        return HttpClients.builder()
                .connectTimeout(Duration.ofSeconds(10))
                .followRedirects(HttpClient.Redirect.NEVER); // keys and tokens go nowhere else
    }

    /**
     * Sends a request and waits for the head of the answer; whoever calls closes the body. No head
     * within {@code patience}, or later no byte for as long, is an {@link HttpTimeoutException}. An
     * interrupt aborts the call.
     */
    public HttpResponse<InputStream> send(HttpRequest request, Duration patience)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> sent =
                http.sendAsync(request, _ -> new TimedBodyInputStream(patience));
        try {
            return sent.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no answer within " + patience);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException("the call failed", e.getCause());
        } finally {
            sent.cancel(true); // aborts what has not come; does nothing to what has
        }
    }

    /** Breaks off every call. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
