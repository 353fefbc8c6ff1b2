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
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** An HTTP client that throws when a request fails. */
public final class TestClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String DATA = "data: ";
    private static final String BOUNDARY = "satchel-torture-boundary";

    private static final String ID = "id: ";
    private static final String TUS = "1.0.0";

    private final URI url;
    private final String key;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();

    public TestClient(URI url) {
        this(url, ServerUnderTest.KEY);
    }

    public TestClient(URI url, String key) {
        this.url = url;
        this.key = key;
    }

    /** The credential of another tenant. */
    public String newKey(String tenant) throws IOException, InterruptedException {
        return json(post("/api/keys", Map.of("name", tenant, "workspaceId", tenant)), 201)
                .get("key")
                .stringValue();
    }

    public String newChat() throws IOException, InterruptedException {
        return json(post("/api/assistant/chats", Map.of()), 201).get("id").stringValue();
    }

    /** Creates an agent with the tools of an MCP server; both have the same name. */
    public void newAgent(String name, URI server) throws IOException, InterruptedException {
        Object servers = Map.of(name, Map.of("type", "http", "url", server.toString()));
        Map<String, Object> agent = Map.of("name", name, "mcpServers", servers);
        HttpRequest request =
                request("/api/agents")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(agent)))
                        .build();
        JsonNode _ = json(request, 201);
    }

    /** A chat whose turns an agent executes. */
    public String newChat(String agent) throws IOException, InterruptedException {
        return json(post("/api/sessions", Map.of("agent", agent)), 201)
                .at("/session/id")
                .stringValue();
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
        read(request, event -> events.accept(Json.MAPPER.readTree(event.data())));
    }

    /** An event of a run; its id has the number in the log. */
    public record NumberedEvent(String id, String data) {}

    /** A refusal, which may be for a while only. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        private final int status;

        RefusedException(String what, int status) {
            super(what + " was answered with " + status);
            this.status = status;
        }

        public int status() {
            return status;
        }
    }

    /** As {@link #turn}; sent again with the same id it is the same turn. */
    void repeatableTurn(
            String chat, String messageId, String message, Consumer<NumberedEvent> events)
            throws IOException, InterruptedException {
        Map<String, String> body =
                Map.of("chatId", chat, "userMessageId", messageId, "message", message);
        read(
                request("/api/assistant/chat/stream")
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", messageId)
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                        .build(),
                events);
    }

    /** The events of a run after an id or the number 0, until its end. */
    void events(String run, String after, Consumer<NumberedEvent> events)
            throws IOException, InterruptedException {
        read(
                request("/api/runs/" + run + "/events").header("Last-Event-ID", after).build(),
                events);
    }

    /** Sends a message that may wait for its turn; returns when it is stored. */
    public void enqueue(String chat, String messageId, String message, String whenBusy)
            throws IOException, InterruptedException {
        Map<String, String> body =
                Map.of(
                        "chatId", chat,
                        "userMessageId", messageId,
                        "message", message,
                        "whenBusy", whenBusy);
        HttpRequest request =
                request("/api/assistant/chat/stream")
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", messageId) // so its turn needs no reader
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                        .build();
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        response.body().close();
        if (response.statusCode() / 100 != 2) {
            throw new RefusedException("a message", response.statusCode());
        }
    }

    /** The messages of a chat that wait for their turn. */
    public JsonNode queue(String chat) throws IOException, InterruptedException {
        return json(request("/api/assistant/chats/" + chat + "/queue").build(), 200);
    }

    /** Everything that waits for a person. */
    public JsonNode openAsks() throws IOException, InterruptedException {
        return json(request("/api/asks?status=open&limit=200").build(), 200).get("asks");
    }

    /** The status of the response to an answer. */
    public int answer(String run, String ask, String text)
            throws IOException, InterruptedException {
        Object answer = Map.of("askId", ask, "text", text);
        String body = Json.MAPPER.writeValueAsString(Map.of("answers", List.of(answer)));
        HttpRequest request =
                request("/api/runs/" + run + "/answers")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build();
        return client.send(request, BodyHandlers.discarding()).statusCode();
    }

    /** How many lines the journal of a run has; the runner writes them for itself. */
    public long journalLines(String run) throws IOException, InterruptedException {
        String trace =
                new String(
                        bytes("/api/runs/" + run + "/trace?journal=true"), StandardCharsets.UTF_8);
        return trace.lines().filter(line -> line.contains("\"type\":\"journal\"")).count();
    }

    void read(HttpRequest request, Consumer<NumberedEvent> events)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        try (BufferedReader body =
                new BufferedReader(
                        new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            if (response.statusCode() / 100 != 2) {
                throw new RefusedException("a stream", response.statusCode());
            }
            String id = "";
            for (String line = body.readLine(); line != null; line = body.readLine()) {
                if (line.startsWith(ID)) {
                    id = line.substring(ID.length());
                } else if (line.startsWith(DATA)) {
                    events.accept(new NumberedEvent(id, line.substring(DATA.length())));
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

    /** Moves a chat to the trash. */
    void delete(String chat) throws IOException, InterruptedException {
        expect(request("/api/assistant/chats/" + chat).DELETE().build(), 204, 404);
    }

    void cancel(String chat) throws IOException, InterruptedException {
        expect(post("/api/assistant/chats/" + chat + "/cancel", Map.of()), 202);
    }

    /** The id of the copy. Requests with the same key make one. */
    String fork(String chat, String requestKey) throws IOException, InterruptedException {
        HttpRequest request =
                request("/api/sessions/" + chat + "/fork")
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", requestKey)
                        .POST(BodyPublishers.ofString("{}"))
                        .build();
        return json(request, 201).at("/session/id").stringValue();
    }

    /** Writes a file of a workspace through the Files API. */
    void writeFile(String chat, String path, String content)
            throws IOException, InterruptedException {
        String encoded =
                Base64.getEncoder().encodeToString(content.getBytes(StandardCharsets.UTF_8));
        Object file = Map.of("path", path, "content", encoded);
        String body = Json.MAPPER.writeValueAsString(Map.of("files", List.of(file)));
        expect(
                request("/api/sessions/" + chat + "/files")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                200);
    }

    /** Begins a resumable upload and returns its path. */
    String beginUpload(String name, int length) throws IOException, InterruptedException {
        String encoded = Base64.getEncoder().encodeToString(name.getBytes(StandardCharsets.UTF_8));
        HttpRequest request =
                request("/api/uploads")
                        .header("Tus-Resumable", TUS)
                        .header("Upload-Length", Integer.toString(length))
                        .header("Upload-Metadata", "filename " + encoded)
                        .POST(BodyPublishers.noBody())
                        .build();
        return URI.create(expect(request, 201).headers().firstValue("Location").orElseThrow())
                .getPath();
    }

    int uploadOffset(String upload) throws IOException, InterruptedException {
        HttpRequest request =
                request(upload)
                        .header("Tus-Resumable", TUS)
                        .method("HEAD", BodyPublishers.noBody())
                        .build();
        return Integer.parseInt(
                expect(request, 200).headers().firstValue("Upload-Offset").orElseThrow());
    }

    void continueUpload(String upload, int offset, byte[] bytes)
            throws IOException, InterruptedException {
        expect(
                request(upload)
                        .header("Tus-Resumable", TUS)
                        .header("Upload-Offset", Integer.toString(offset))
                        .header("Content-Type", "application/offset+octet-stream")
                        .method("PATCH", BodyPublishers.ofByteArray(bytes))
                        .build(),
                204);
    }

    /** Moves an upload into the bag of a chat. */
    void claim(String chat, String upload) throws IOException, InterruptedException {
        String body = Json.MAPPER.writeValueAsString(Map.of("fileIds", List.of(upload)));
        expect(
                request("/api/assistant/chats/" + chat + "/files/claim")
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                200,
                201);
    }

    private HttpResponse<Void> expect(HttpRequest request, Integer... expected)
            throws IOException, InterruptedException {
        HttpResponse<Void> response = client.send(request, BodyHandlers.discarding());
        if (!List.of(expected).contains(response.statusCode())) {
            throw new RefusedException(request.uri().getPath(), response.statusCode());
        }
        return response;
    }

    public int status(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.discarding()).statusCode();
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    byte[] bytes(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> response =
                client.send(request(path).build(), BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new RefusedException(path, response.statusCode());
        }
        return response.body();
    }

    JsonNode json(HttpRequest request, int expected) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() != expected) {
            throw new RefusedException(request.uri().getPath(), response.statusCode());
        }
        return Json.MAPPER.readTree(response.body());
    }

    HttpRequest post(String path, Map<String, ?> body) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                .build();
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(url.resolve(path))
                .timeout(TIMEOUT)
                .header("Authorization", "Bearer " + key);
    }
}
