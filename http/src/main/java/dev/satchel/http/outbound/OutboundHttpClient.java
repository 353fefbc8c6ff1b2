package dev.satchel.http.outbound;

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

/** The HTTP client of a runner. */
public final class OutboundHttpClient implements AutoCloseable {
    private final HttpClient http;

    public OutboundHttpClient() {
        this(builder());
    }

    /** Sends all requests through a proxy, which also resolves the names. */
    public OutboundHttpClient(InetSocketAddress proxy) {
        this(builder().proxy(ProxySelector.of(proxy)));
    }

    private OutboundHttpClient(HttpClient.Builder builder) {
        this.http = builder.build();
    }

    private static HttpClient.Builder builder() {
        return HttpClients.builder()
                .connectTimeout(Duration.ofSeconds(10))
                .followRedirects(
                        HttpClient.Redirect.NEVER); // a redirect must not receive keys and tokens
    }

    /**
     * Sends a request and waits for the headers of the response; the caller closes the body. If no
     * headers arrive within the timeout, or later no byte for as long, that is an {@link
     * HttpTimeoutException}. An interrupt aborts the call.
     */
    public HttpResponse<InputStream> send(HttpRequest request, Duration timeout)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<InputStream>> sent =
                http.sendAsync(request, _ -> new TimedBodyInputStream(timeout));
        try {
            return sent.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no answer within " + timeout);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException("the call failed", e.getCause());
        } finally {
            sent.cancel(true); // aborts a call without a response
        }
    }

    /** Aborts every call. */
    @Override
    public void close() {
        http.shutdownNow();
    }
}
