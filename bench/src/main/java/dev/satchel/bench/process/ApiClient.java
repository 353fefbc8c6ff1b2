package dev.satchel.bench.process;

import dev.satchel.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Small requests to a server, one after the other. */
public final class ApiClient implements AutoCloseable {
    private final URI url;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public ApiClient(URI url) {
        this.url = url;
    }

    public JsonNode get(String path) throws IOException, InterruptedException {
        return send(request(path).build());
    }

    public JsonNode post(String path, Object body) throws IOException, InterruptedException {
        return send(posting(path, body));
    }

    public void delete(String path) throws IOException, InterruptedException {
        JsonNode _ = send(request(path).DELETE().build());
    }

    public String newChat() throws IOException, InterruptedException {
        return post("/api/assistant/chats", Map.of()).get("id").stringValue();
    }

    /** How many nanoseconds a request took. */
    public long timed(HttpRequest request) throws IOException, InterruptedException {
        long start = System.nanoTime();
        JsonNode _ = send(request);
        return System.nanoTime() - start;
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(url.resolve(path))
                .header("Authorization", "Bearer " + ServerProcess.KEY);
    }

    public HttpRequest posting(String path, Object body) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                .build();
    }

    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
            throws IOException, InterruptedException {
        return client.send(request, handler);
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private JsonNode send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IOException(
                    request.uri() + " answered " + response.statusCode() + ": " + response.body());
        }
        return Json.MAPPER.readTree(response.body().isEmpty() ? "{}" : response.body());
    }
}
