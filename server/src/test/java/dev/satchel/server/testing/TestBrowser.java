package dev.satchel.server.testing;

import dev.satchel.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** A browser that keeps the cookie of its session and sends it from the pages of the server. */
public final class TestBrowser {
    private final TestServer server;
    private final HttpClient client;
    private String cookie = "";

    public TestBrowser(TestServer server, HttpClient client) {
        this.server = server;
        this.client = client;
    }

    /** Opens the link that signs a person in. */
    public HttpResponse<String> open(String link) throws IOException, InterruptedException {
        return keep(client.send(request(URI.create(link)).build(), BodyHandlers.ofString()));
    }

    /** Sends the form of a page. */
    public HttpResponse<String> submit(String path, Map<String, String> fields)
            throws IOException, InterruptedException {
        String body =
                fields.entrySet().stream()
                        .map(field -> field.getKey() + "=" + encoded(field.getValue()))
                        .collect(Collectors.joining("&"));
        return keep(
                client.send(
                        request(server.url(path))
                                .header("Content-Type", "application/x-www-form-urlencoded")
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString()));
    }

    public HttpResponse<String> send(String method, String path, Map<String, ?> body)
            throws IOException, InterruptedException {
        return client.send(
                request(server.url(path))
                        .header("Content-Type", "application/json")
                        .method(
                                method,
                                method.equals("GET") || method.equals("DELETE")
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(
                                                Json.MAPPER.writeValueAsString(body)))
                        .build(),
                BodyHandlers.ofString());
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send("GET", path, Map.of());
    }

    public JsonNode post(String path, Map<String, ?> body)
            throws IOException, InterruptedException {
        return Json.MAPPER.readTree(send("POST", path, body).body());
    }

    private HttpRequest.Builder request(URI address) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).header("Sec-Fetch-Site", "same-origin");
        return cookie.isEmpty() ? request : request.header("Cookie", cookie);
    }

    private HttpResponse<String> keep(HttpResponse<String> response) {
        response.headers()
                .firstValue("Set-Cookie")
                .ifPresent(set -> cookie = set.substring(0, set.indexOf(';')));
        return response;
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
