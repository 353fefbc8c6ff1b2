package dev.satchel.server.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow.Subscription;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that checks each response against the OpenAPI document. A body is checked when it
 * is complete before the client returns it; of any other response the status and content type are.
 */
public final class CheckedHttpClient extends HttpClient {
    private final HttpClient client;

    private CheckedHttpClient(HttpClient client) {
        this.client = client;
    }

    public static HttpClient create() {
        return of(HttpClient.newHttpClient());
    }

    /** A client that speaks HTTP/1.1 only. */
    public static HttpClient http11() {
        return of(HttpClient.newBuilder().version(Version.HTTP_1_1).build());
    }

    public static HttpClient of(HttpClient client) {
        return new CheckedHttpClient(client);
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        Recording<T> recording = new Recording<>(handler);
        return check(client.send(request, recording), recording);
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler) {
        Recording<T> recording = new Recording<>(handler);
        return client.sendAsync(request, recording)
                .thenApply(response -> check(response, recording));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, PushPromiseHandler<T> pushHandler) {
        return sendAsync(request, handler);
    }

    /** Closes the body of a response that violates the document, since no test will read it. */
    private static <T> HttpResponse<T> check(HttpResponse<T> response, Recording<T> recording) {
        try {
            ApiContract.check(ApiContract.Response.of(response, recording.body()));
            return response;
        } catch (AssertionError violation) {
            close(response.body());
            throw violation;
        }
    }

    private static void close(@Nullable Object body) {
        if (body instanceof AutoCloseable stream) {
            try {
                stream.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Copies the body while the test's own handler reads it. */
    private static final class Recording<T> implements BodyHandler<T> {
        private static final int MAX_BYTES = 4 * 1024 * 1024;

        private final BodyHandler<T> handler;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private volatile boolean complete;

        Recording(BodyHandler<T> handler) {
            this.handler = handler;
        }

        /** Null when it is incomplete or too long to be JSON. */
        @Nullable String body() {
            return complete && bytes.size() <= MAX_BYTES
                    ? bytes.toString(StandardCharsets.UTF_8)
                    : null;
        }

        @Override
        public BodySubscriber<T> apply(HttpResponse.ResponseInfo info) {
            BodySubscriber<T> subscriber = handler.apply(info);
            return new BodySubscriber<>() {
                @Override
                public CompletionStage<T> getBody() {
                    return subscriber.getBody();
                }

                @Override
                public void onSubscribe(Subscription subscription) {
                    subscriber.onSubscribe(subscription);
                }

                @Override
                public void onNext(List<ByteBuffer> buffers) {
                    for (ByteBuffer buffer : buffers) {
                        copy(buffer.asReadOnlyBuffer());
                    }
                    subscriber.onNext(buffers);
                }

                @Override
                public void onError(Throwable failure) {
                    subscriber.onError(failure);
                }

                @Override
                public void onComplete() {
                    complete = true;
                    subscriber.onComplete();
                }
            };
        }

        private void copy(ByteBuffer buffer) {
            if (bytes.size() <= MAX_BYTES) {
                byte[] copied = new byte[buffer.remaining()];
                buffer.get(copied);
                bytes.writeBytes(copied);
            }
        }
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }

    @Override
    public void shutdown() {
        client.shutdown();
    }

    @Override
    public boolean awaitTermination(Duration duration) throws InterruptedException {
        return client.awaitTermination(duration);
    }

    @Override
    public boolean isTerminated() {
        return client.isTerminated();
    }

    @Override
    public void shutdownNow() {
        client.shutdownNow();
    }

    @Override
    public void close() {
        client.close();
    }
}
