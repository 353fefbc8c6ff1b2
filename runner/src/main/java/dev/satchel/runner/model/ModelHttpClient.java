package dev.satchel.runner.model;

import dev.satchel.http.outbound.OutboundHttpClient;
import dev.satchel.runner.model.stream.BrokenStreamException;
import dev.satchel.runner.model.stream.ProviderErrorException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Sends requests to a provider on the calling thread, so that an interrupt aborts them. */
final class ModelHttpClient {
    /** How much of the body of an error is read. */
    private static final int MAX_ERROR_BYTES = 16 * 1024;

    private static final int MAX_REDIRECTS = 3;
    private static final Set<String> KEY_HEADERS = Set.of("authorization", "x-api-key", "api-key");

    private final OutboundHttpClient http;
    private final Duration timeout;
    private final EndpointPolicy endpointPolicy;
    private final RetryPolicy retries;

    ModelHttpClient(
            OutboundHttpClient http,
            Duration timeout,
            EndpointPolicy endpointPolicy,
            RetryPolicy retries) {
        this.http = http;
        this.timeout = timeout;
        this.endpointPolicy = endpointPolicy;
        this.retries = retries;
    }

    /** A successful answer. The caller closes the body. */
    record Response(String contentType, InputStream body) {}

    /** Sends a request; another status than success is a {@link ProviderErrorException}. */
    Response send(HttpRequest request) throws IOException, InterruptedException {
        HttpRequest next = request;
        for (int redirects = 0; ; redirects++) {
            endpointPolicy.check(next.uri());
            HttpResponse<InputStream> response = http.send(next, timeout);
            int status = response.statusCode();
            if (status / 100 == 2) {
                return new Response(
                        response.headers().firstValue("Content-Type").orElse(""), body(response));
            }
            Optional<String> location = response.headers().firstValue("Location");
            boolean moved = status == 307 || status == 308;
            if (!moved || location.isEmpty() || redirects == MAX_REDIRECTS) {
                throw refused(response);
            }
            response.body().close();
            next = redirect(next, location.get());
        }
    }

    private ProviderErrorException refused(HttpResponse<InputStream> response) throws IOException {
        try (InputStream body = body(response)) {
            byte[] text = body.readNBytes(MAX_ERROR_BYTES);
            return new ProviderErrorException(
                    response.statusCode(),
                    new String(text, StandardCharsets.UTF_8),
                    retryAfter(response.headers()));
        }
    }

    private @Nullable Duration retryAfter(HttpHeaders headers) {
        Optional<Duration> millis =
                headers.firstValue("retry-after-ms")
                        .filter(value -> value.matches("[0-9]{1,12}"))
                        .map(value -> Duration.ofMillis(Long.parseLong(value)));
        return millis.or(() -> headers.firstValue("Retry-After").flatMap(retries::parseRetryAfter))
                .orElse(null);
    }

    /** Some servers compress without having been asked to. */
    private static InputStream body(HttpResponse<InputStream> response) throws IOException {
        boolean compressed =
                response.headers()
                        .firstValue("Content-Encoding")
                        .filter("gzip"::equalsIgnoreCase)
                        .isPresent();
        return compressed ? new GZIPInputStream(response.body()) : response.body();
    }

    /** The key is sent on only to the host that it was meant for. */
    private static HttpRequest redirect(HttpRequest request, String location)
            throws BrokenStreamException {
        URI from = request.uri();
        URI to;
        try {
            to = from.resolve(location);
        } catch (IllegalArgumentException e) {
            throw new BrokenStreamException(
                    "The model's endpoint redirects to an invalid address.");
        }
        boolean sameOrigin =
                to.getRawAuthority() != null
                        && to.getRawAuthority().equals(from.getRawAuthority())
                        && to.getScheme().equals(from.getScheme());
        boolean madeSecure =
                "https".equals(to.getScheme())
                        && "http".equals(from.getScheme())
                        && to.getHost() != null
                        && to.getHost().equals(from.getHost());
        boolean keepKey = sameOrigin || madeSecure;
        return HttpRequest.newBuilder(
                        request,
                        (name, _) ->
                                keepKey || !KEY_HEADERS.contains(name.toLowerCase(Locale.ROOT)))
                .uri(to)
                .build();
    }
}
