package dev.satchel.torture.harness;

import dev.satchel.protocol.Json;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
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
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** An HTTP client that throws when a request fails. */
public final class TestClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String DATA = "data: ";
    private static final String BOUNDARY = "satchel-torture-boundary";

    private final URI url;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();

    public TestClient(URI url) {
        this.url = url;
    }

    public String newChat() throws IOException, InterruptedException {
        return json(post("/api/assistant/chats", Map.of()), 201).get("id").stringValue();
    }

    /** The status of the response to a new chat, whatever it is. */
    public int newChatStatus() throws IOException, InterruptedException {
        return client.send(post("/api/assistant/chats", Map.of()), BodyHandlers.discarding())
                .statusCode();
    }

    public JsonNode chat(String chat) throws IOException, InterruptedException {
        return json(request("/api/assistant/chats/" + chat + "?limit=200").build(), 200);
    }

    /** Puts a file into the chat's bag and returns its row. */
    JsonNode upload(String chat, String name, byte[] content)
            throws IOException, InterruptedException {
        ByteArrayOutputStream form = new ByteArrayOutputStream();
        String head =
                "--%s\r\nContent-Disposition: form-data; name=\"file\"; filename=\"%s\"\r\n\r\n"
                        .formatted(BOUNDARY, name);
        form.writeBytes(head.getBytes(StandardCharsets.UTF_8));
        form.writeBytes(content);
        form.writeBytes(("\r\n--" + BOUNDARY + "--\r\n").getBytes(StandardCharsets.UTF_8));
        HttpRequest request =
                request("/api/assistant/chats/" + chat + "/files")
                        .header("Content-Type", "multipart/form-data; boundary=" + BOUNDARY)
                        .POST(BodyPublishers.ofByteArray(form.toByteArray()))
                        .build();
        return json(request, 201).get("files").get(0);
    }

    byte[] bagFile(String chat, String id) throws IOException, InterruptedException {
        return bytes("/api/assistant/chats/" + chat + "/files/" + id);
    }

    public byte[] workspaceFile(String chat, String path) throws IOException, InterruptedException {
        return bytes("/api/sessions/" + chat + "/files/" + path);
    }

    /** Sends a message and passes its events to the consumer until the stream ends. */
    public void turn(String chat, String messageId, String message, Consumer<JsonNode> events)
            throws IOException, InterruptedException {
        HttpRequest request =
                post(
                        "/api/assistant/chat/stream",
                        Map.of(
                                "chatId", chat,
                                "userMessageId", messageId,
                                "message", message,
                                "onDisconnect", "continue"));
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        try (BufferedReader body =
                new BufferedReader(
                        new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            if (response.statusCode() != 200) {
                throw new IOException("the turn was answered with " + response.statusCode());
            }
            for (String line = body.readLine(); line != null; line = body.readLine()) {
                if (line.startsWith(DATA)) {
                    events.accept(Json.MAPPER.readTree(line.substring(DATA.length())));
                }
            }
        }
    }

    /** Sends a message that may be refused, and returns the status when its turn has ended. */
    public int turnStatus(String chat, String message) throws IOException, InterruptedException {
        HttpRequest request =
                post("/api/assistant/chat/stream", Map.of("chatId", chat, "message", message));
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    /** The chat may be deleted already, when the answer of an earlier request was lost. */
    public void deleteForGood(String chat) throws IOException, InterruptedException {
        HttpRequest request = request("/agent-server/api/sessions/" + chat).DELETE().build();
        int status = client.send(request, BodyHandlers.discarding()).statusCode();
        if (status != 204 && status != 404) {
            throw new IOException("a deletion was answered with " + status);
        }
    }

    public int status(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.discarding()).statusCode();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    private byte[] bytes(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> response =
                client.send(request(path).build(), BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException(path + " was answered with " + response.statusCode());
        }
        return response.body();
    }

    private JsonNode json(HttpRequest request, int expected)
            throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() != expected) {
            throw new IOException(
                    request.uri().getPath() + " was answered with " + response.statusCode());
        }
        return Json.MAPPER.readTree(response.body());
    }

    private HttpRequest post(String path, Map<String, String> body) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                .build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(url.resolve(path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + ServerUnderTest.KEY);
    }
}
