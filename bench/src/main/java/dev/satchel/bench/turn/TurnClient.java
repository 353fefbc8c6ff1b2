package dev.satchel.bench.turn;

import dev.satchel.bench.process.ServerProcess;
import dev.satchel.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A client that sends one message after the other and looks at the clock. */
public final class TurnClient implements AutoCloseable {
    private static final String DATA = "data: ";

    /** How many nanoseconds after the POST the events came. */
    public record Times(long first, long step, long result) {}

    private final URI url;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    public TurnClient(URI url) {
        this.url = url;
    }

    /** The shortest request there is. */
    long ping() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(url.resolve("/livez")).build();
        long start = System.nanoTime();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException("/livez answered " + response.statusCode());
        }
        return System.nanoTime() - start;
    }

    public String newChat() throws IOException, InterruptedException {
        HttpResponse<String> response =
                client.send(post("/api/assistant/chats", Map.of()), BodyHandlers.ofString());
        return Json.MAPPER.readTree(response.body()).get("id").stringValue();
    }

    /** Sends a message and reads its events to the end. */
    public Times turn(String chat, String message) throws IOException, InterruptedException {
        HttpRequest request =
                post("/api/assistant/chat/stream", Map.of("chatId", chat, "message", message));
        long start = System.nanoTime();
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        try (BufferedReader body =
                new BufferedReader(
                        new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            long first = 0;
            long step = 0;
            long result = 0;
            for (String line = body.readLine(); line != null; line = body.readLine()) {
                if (!line.startsWith(DATA)) {
                    continue;
                }
                long took = System.nanoTime() - start;
                String type = type(line);
                first = first == 0 ? took : first;
                step = step == 0 && type.equals("step") ? took : step;
                result = type.equals("result") ? took : result;
            }
            if (step == 0 || result == 0) {
                throw new IOException("a turn did not succeed: " + response.statusCode());
            }
            return new Times(first, step, result);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private HttpRequest post(String path, Map<String, String> body) {
        return HttpRequest.newBuilder(url.resolve(path))
                .header("Authorization", "Bearer " + ServerProcess.KEY)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                .build();
    }

    private static String type(String line) {
        JsonNode event = Json.MAPPER.readTree(line.substring(DATA.length()));
        return event.get("type").stringValue();
    }
}
