package dev.satchel.server.node;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.CheckedHttpClient;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestServer;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SequencedMap;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/**
 * A client with one conversation that sends turns to any server that is alive, and continues with
 * another when one dies. It records every acknowledged write.
 */
final class LoadClient {
    private final Fleet fleet;
    private final Random random;
    private final HttpClient client =
            CheckedHttpClient.of(
                    HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .connectTimeout(Duration.ofSeconds(5))
                            .build());

    /** What was read of each run, line by line with its number. */
    private final SequencedMap<String, List<Seen>> seen = new LinkedHashMap<>();

    /** The content of each file that a server said it has. */
    private final Map<String, String> uploaded = new HashMap<>();

    private String chat = "";
    private int turns;

    /** One event as it was read. */
    record Seen(long seq, String data) {}

    LoadClient(Fleet fleet, long seed) {
        this.fleet = fleet;
        this.random = new Random(seed);
    }

    Map<String, List<Seen>> seen() {
        return seen;
    }

    Map<String, String> uploaded() {
        return uploaded;
    }

    String chat() {
        return chat;
    }

    int turns() {
        return turns;
    }

    void run(BooleanSupplier goesOn) throws InterruptedException {
        while (chat.isEmpty()) {
            attempt(this::makeChat);
        }
        while (goesOn.getAsBoolean()) {
            attempt(this::upload);
            attempt(this::turn);
            follow();
        }
    }

    /** The whole of a run as any server tells it. */
    List<Seen> readAgain(String run) throws IOException, InterruptedException {
        List<Seen> lines = new ArrayList<>();
        read(request("/api/runs/" + run + "/events").build(), lines);
        return lines;
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        return Json.MAPPER.readTree(send(request(path).build()).body());
    }

    String download(String id) throws IOException, InterruptedException {
        return send(request("/api/assistant/chats/" + chat + "/files/" + id).build()).body();
    }

    private interface Step {
        void take() throws IOException, InterruptedException;
    }

    /** A server may die during any request; the client then uses another. */
    private static void attempt(Step step) throws InterruptedException {
        try {
            step.take();
        } catch (IOException e) {
            Thread.sleep(50); // a pause as any client makes before it tries again
        }
    }

    private void makeChat() throws IOException, InterruptedException {
        HttpResponse<String> made =
                send(request("/api/assistant/chats").POST(BodyPublishers.ofString("{}")).build());
        if (made.statusCode() == 201) {
            chat = Json.MAPPER.readTree(made.body()).get("id").stringValue();
        }
    }

    private void upload() throws IOException, InterruptedException {
        String content = "content " + random.nextLong();
        HttpResponse<String> answer =
                send(
                        request("/api/assistant/chats/" + chat + "/files")
                                .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                .POST(new MultipartBody().file("in.txt", content).publisher())
                                .build());
        if (answer.statusCode() == 201) {
            JsonNode file = Json.MAPPER.readTree(answer.body()).at("/files/0");
            uploaded.put(file.get("id").stringValue(), content);
        }
    }

    private void turn() throws IOException, InterruptedException {
        String body =
                Json.MAPPER.writeValueAsString(
                        Map.of("message", "go", "chatId", chat, "onDisconnect", "continue"));
        List<Seen> lines = new ArrayList<>();
        try {
            read(
                    request("/api/assistant/chat/stream")
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                    lines);
        } finally {
            remember(lines);
        }
        if (lines.isEmpty()) {
            adopt();
        } else {
            turns++;
        }
    }

    /** A server died after it had begun our turn and before it could say so. */
    private void adopt() throws IOException, InterruptedException {
        String run = get("/api/assistant/chats/" + chat).at("/activeRun/id").asString("");
        if (!run.isEmpty()) {
            seen.putIfAbsent(run, new ArrayList<>());
        }
    }

    /** Reads on where the last run broke off, until its end. */
    private void follow() throws InterruptedException {
        while (!seen.isEmpty()) {
            Map.Entry<String, List<Seen>> last = seen.lastEntry();
            String run = last.getKey();
            List<Seen> lines = last.getValue();
            if (!lines.isEmpty() && lines.getLast().data().contains("\"type\":\"end\"")) {
                return;
            }
            long after = lines.isEmpty() ? 0 : lines.getLast().seq();
            attempt(
                    () ->
                            read(
                                    request("/api/runs/" + run + "/events")
                                            .header("Last-Event-ID", run + ":" + after)
                                            .build(),
                                    lines));
        }
    }

    private void remember(List<Seen> lines) {
        if (!lines.isEmpty()) {
            String run = Json.MAPPER.readTree(lines.getFirst().data()).get("runId").stringValue();
            seen.put(run, lines);
        }
    }

    private void read(HttpRequest request, List<Seen> lines)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
        try (BufferedReader reader =
                new BufferedReader(
                        new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            long seq = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (line.startsWith("id: ")) {
                    seq = Long.parseLong(line.substring(line.lastIndexOf(':') + 1));
                } else if (line.startsWith("data: ")) {
                    lines.add(new Seen(seq, line.substring(6)));
                }
            }
        }
    }

    private HttpRequest.Builder request(String path) {
        URI node = fleet.any(random);
        return HttpRequest.newBuilder(node.resolve(path))
                .header("Authorization", "Bearer " + TestServer.KEY);
    }

    private HttpResponse<String> send(HttpRequest request)
            throws IOException, InterruptedException {
        return client.send(request, BodyHandlers.ofString());
    }
}
