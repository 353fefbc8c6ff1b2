package dev.satchel.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Sends all requests and reads error responses. */
final class HttpCalls implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);

    private final String base;
    private final String key;
    private final OpenExchanges exchanges = new OpenExchanges();
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT_PATIENCE)
                    .build();

    HttpCalls(URI url, String key) {
        this.base = url.toString().replaceAll("/+$", "");
        this.key = key;
    }

    /** As one segment of a path, or a value in a query. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** For a path that holds no bare text of others: that is {@link #encoded} first. */
    HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        return key.isEmpty() ? request : request.header("Authorization", "Bearer " + key);
    }

    <T> T get(String path, Class<T> type) throws IOException, InterruptedException {
        return get(path, PATIENCE, type);
    }

    <T> T get(String path, Duration patience, Class<T> type)
            throws IOException, InterruptedException {
        return read(send(request(path).timeout(patience).build()), type);
    }

    <T> T post(String path, Object body, Class<T> type) throws IOException, InterruptedException {
        return send("POST", path, body, type);
    }

    <T> T send(String method, String path, Object body, Class<T> type)
            throws IOException, InterruptedException {
        return write(json(path).timeout(PATIENCE).method(method, body(body)).build(), type);
    }

    /** For a response whose content does not matter. */
    void run(String path, Object body) throws IOException, InterruptedException {
        HttpRequest request = json(path).timeout(PATIENCE).POST(body(body)).build();
        Backoff.repeat(() -> send(request)).body().close();
    }

    /** For a response without a time limit. */
    <T> T await(String path, Object body, Class<T> type) throws IOException, InterruptedException {
        return write(json(path).POST(body(body)).build(), type);
    }

    void delete(String path) throws IOException, InterruptedException {
        HttpRequest request = write(path).timeout(PATIENCE).DELETE().build();
        Backoff.repeat(() -> send(request)).body().close();
    }

    /** A write with a key of its own: however often it is sent, it is done once. */
    HttpRequest.Builder write(String path) {
        return request(path).header("Idempotency-Key", UUID.randomUUID().toString());
    }

    HttpRequest.Builder json(String path) {
        return write(path).header("Content-Type", "application/json");
    }

    static BodyPublisher body(Object value) {
        return BodyPublishers.ofString(ClientJson.MAPPER.writeValueAsString(value));
    }

    /** An answer whose body is still to be read, by the caller; a refusal is an ApiException. */
    HttpResponse<InputStream> send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<InputStream> response = answer(request);
        if (response.statusCode() >= 400) {
            throw refusal(response);
        }
        return response;
    }

    /** As {@link #send}, whatever the status. */
    HttpResponse<InputStream> answer(HttpRequest request) throws IOException, InterruptedException {
        if (exchanges.isClosed()) {
            throw new IllegalStateException("this client is closed");
        }
        return exchanges.send(http, request);
    }

    static <T> T read(HttpResponse<InputStream> response, Class<T> type) throws IOException {
        byte[] json;
        try (InputStream body = response.body()) {
            json = body.readAllBytes(); // what is cut short here is worth another try
        }
        try {
            return ClientJson.MAPPER.readValue(json, type);
        } catch (JacksonException e) {
            ProtocolException stranger =
                    new ProtocolException(
                            "what answers at "
                                    + response.uri()
                                    + " does not speak as Satchel does");
            stranger.initCause(e);
            throw stranger;
        }
    }

    private <T> T write(HttpRequest request, Class<T> type)
            throws IOException, InterruptedException {
        return Backoff.repeat(() -> read(send(request), type));
    }

    @Override
    public void close() {
        exchanges.close();
    }

    /** Errors of sessions have no member for it. */
    private static String codeOf(HttpResponse<InputStream> response) {
        return response.headers().firstValue("Satchel-Error").orElse("");
    }

    private static ApiException refusal(HttpResponse<InputStream> response) throws IOException {
        int status = response.statusCode();
        try (InputStream body = response.body()) {
            JsonNode problem = ClientJson.MAPPER.readTree(body);
            String detail = problem.path("detail").asString(problem.path("error").asString(""));
            return new ApiException(
                    status,
                    problem.path("code").asString(codeOf(response)),
                    detail.isEmpty() ? "the server answered with status " + status : detail);
        } catch (JacksonException e) { // a proxy's page, perhaps
            return new ApiException(status, "", "the server answered with status " + status);
        }
    }
}
