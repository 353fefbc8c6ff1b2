package dev.satchel.runner.model;

import dev.langchain4j.exception.HttpException;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import dev.satchel.runner.net.OutboundHttpClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The HTTP client of LangChain4j on the calling thread. The client of LangChain4j streams on a pool
 * thread; with this one an interrupt of the run aborts the call, and events arrive in order.
 */
final class BlockingHttpClient implements HttpClient {
    /** How much of the body of an error is read. */
    private static final int MAX_ERROR_BYTES = 16 * 1024;

    private final OutboundHttpClient http;
    private final Duration timeout;
    private final EndpointPolicy endpointPolicy;

    BlockingHttpClient(OutboundHttpClient http, Duration timeout, EndpointPolicy endpointPolicy) {
        this.http = http;
        this.timeout = timeout;
        this.endpointPolicy = endpointPolicy;
    }

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
        HttpResponse<InputStream> response = send(request);
        try (InputStream body = response.body()) {
            return successful(response).body(body.readAllBytes()).build();
        } catch (IOException e) {
            throw new CallFailedException(e);
        }
    }

    @Override
    public void execute(
            HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
        ServerSentEventListener strict = new StrictEventListener(listener);
        try {
            HttpResponse<InputStream> response = send(request);
            try (InputStream body = response.body()) {
                strict.onOpen(successful(response).build());
                parser.parse(body, strict);
            }
            strict.onClose();
        } catch (IOException | RuntimeException e) {
            strict.onError(e);
        }
    }

    private HttpResponse<InputStream> send(HttpRequest request) {
        try {
            java.net.http.HttpRequest translated = translate(request);
            endpointPolicy.check(translated.uri());
            HttpResponse<InputStream> response = http.send(translated, timeout);
            if (response.statusCode() / 100 == 2) {
                return response;
            }
            try (InputStream body = response.body()) {
                byte[] text = body.readNBytes(MAX_ERROR_BYTES);
                throw new HttpException(
                        response.statusCode(), new String(text, StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CallFailedException(e);
        } catch (IOException e) {
            throw new CallFailedException(e);
        }
    }

    private static java.net.http.HttpRequest translate(HttpRequest request) {
        java.net.http.HttpRequest.Builder builder =
                java.net.http.HttpRequest.newBuilder(URI.create(request.url()));
        request.headers()
                .forEach((name, values) -> values.forEach(value -> builder.header(name, value)));
        String body = request.body();
        builder.method(
                request.method().name(),
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        return builder.build();
    }

    private static SuccessfulHttpResponse.Builder successful(HttpResponse<?> response) {
        return SuccessfulHttpResponse.builder()
                .statusCode(response.statusCode())
                .headers(response.headers().map());
    }

    /** Wraps a checked exception, because the interfaces of LangChain4j declare none. */
    static final class CallFailedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CallFailedException(Throwable cause) {
            super(cause);
        }
    }
}
