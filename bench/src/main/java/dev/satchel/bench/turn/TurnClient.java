package dev.satchel.bench.turn;

import dev.satchel.bench.process.ApiClient;
import dev.satchel.protocol.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A client that sends messages one after the other and measures the time. */
public final class TurnClient implements AutoCloseable {
    private static final String DATA = "data: ";

    /** How many nanoseconds after the POST the events came. */
    public record Times(long first, long step, long result) {}

    private final ApiClient api;

    public TurnClient(URI url) {
        this.api = new ApiClient(url);
    }

    /** The shortest request there is. */
    long ping() throws IOException, InterruptedException {
        return api.timed(api.request("/livez").build());
    }

    public String newChat() throws IOException, InterruptedException {
        return api.newChat();
    }

    /** Sends a message and reads its events to the end. */
    public Times turn(String chat, String message) throws IOException, InterruptedException {
        return turn(Map.of("chatId", chat, "message", message));
    }

    /** As {@link #turn(String, String)}, after another message than the last one. */
    Times edit(String chat, String parent, String message)
            throws IOException, InterruptedException {
        return turn(Map.of("chatId", chat, "message", message, "parentMessageId", parent));
    }

    /** The id of the message of the active path that has so many after it. */
    String messageBefore(String chat, int newer) throws IOException, InterruptedException {
        return api.get("/api/assistant/chats/" + chat + "?limit=" + (newer + 1))
                .at("/messages/0/id")
                .stringValue();
    }

    private Times turn(Map<String, String> wanted) throws IOException, InterruptedException {
        HttpRequest request = api.posting("/api/assistant/chat/stream", wanted);
        long start = System.nanoTime();
        HttpResponse<InputStream> response = api.send(request, BodyHandlers.ofInputStream());
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
        api.close();
    }

    private static String type(String line) {
        JsonNode event = Json.MAPPER.readTree(line.substring(DATA.length()));
        return event.get("type").stringValue();
    }
}
