package dev.satchel.server.migrate;

import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.objectstore.S3Settings;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A whole server with a little of everything in it, and a look at all of that. */
public final class FilledServer implements AutoCloseable {
    private final TestServer server;

    private FilledServer(TestServer server) {
        this.server = server;
    }

    public static FilledServer start(Path data, @Nullable URI database, @Nullable S3Settings s3)
            throws Exception {
        Configuration usual = TestServer.configuration(data, database, null);
        Configuration whole = TestConfiguration.withSandbox(usual, TestConfiguration.embedded());
        Configuration complete = s3 == null ? whole : TestConfiguration.withBucket(whole, s3);
        return new FilledServer(TestServer.start(complete, Clock.systemUTC()));
    }

    /** Chats with steps and files, snapshots, agents and their runs, assets, keys, uploads. */
    public void fill() throws Exception {
        String chat = server.newChat();
        server.upload(chat, "zahlen ü 数.txt", "3\n1\n2\n");
        turn(chat, "/sh mkdir -p assets d && sort zahlen* > assets/sorted.txt; echo one > d/a.txt");
        turn(chat, "/sh echo two > d/a.txt; head -c 300000 /dev/urandom > d/noise.bin");
        turn(server.newChat(), "/sh echo another > chat.txt && exit 3");
        String agent = id(server.post("/api/agents", Map.of("name", "clerk", "maxRounds", 7)));
        server.post(
                "/api/agents/" + agent + "/runs",
                Map.of("prompt", "/sh mkdir -p assets && echo made > assets/made.txt"));
        asset("kept ✓.txt", "kept");
        server.keyOf("acme");
        server.send(
                server.request("/agent-server/api/upload")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("early.txt", "early").publisher())
                        .build());
    }

    public void asset(String name, String content) throws Exception {
        server.send(
                server.request("/api/assets")
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file(name, content).publisher())
                        .build());
    }

    /** The response of every route that returns stored data, by path. */
    public Map<String, String> picture() throws Exception {
        server.sweep(); // reads the texts of new files
        Map<String, String> picture = new LinkedHashMap<>();
        look(picture, "/api/keys");
        look(picture, "/api/storage");
        look(picture, "/api/search?q=sort"); // of a message and of the name of a file
        look(picture, "/api/search?q=kept");
        for (JsonNode agent : look(picture, "/api/agents").get("agents")) {
            look(picture, "/api/agents/" + text(agent, "id"));
        }
        for (JsonNode asset : look(picture, "/api/assets").get("assets")) {
            bytes(picture, "/api/assets/" + text(asset, "id"));
        }
        for (JsonNode chat : look(picture, "/api/assistant/chats").get("chats")) {
            chat(picture, text(chat, "id"));
        }
        return picture;
    }

    /** The newest chat takes another turn, in the workspace that the last one left. */
    public String goesOn(String message) throws Exception {
        for (JsonNode chat : server.getJson("/api/assistant/chats").get("chats")) {
            if (server.get("/api/assistant/chats/" + text(chat, "id")).body().contains("noise")) {
                return turn(text(chat, "id"), message);
            }
        }
        throw new AssertionError("the chat is gone");
    }

    /** The server, for what is not filled in. */
    public TestServer server() {
        return server;
    }

    @Override
    public void close() {
        server.close();
    }

    private void chat(Map<String, String> picture, String id) throws Exception {
        String chat = "/api/assistant/chats/" + id;
        for (JsonNode message : look(picture, chat).get("messages")) {
            if (message.has("runId")) {
                bytes(picture, "/api/runs/" + text(message, "runId") + "/trace");
            }
        }
        for (JsonNode file : look(picture, chat + "/files").get("files")) {
            bytes(picture, chat + "/files/" + text(file, "id"));
        }
        String session = "/api/sessions/" + id;
        for (JsonNode snapshot : look(picture, session + "/snapshots").get("snapshots")) {
            String at = "?at=" + text(snapshot, "id");
            for (JsonNode file : look(picture, session + "/files" + at).get("files")) {
                bytes(picture, session + "/files/" + path(text(file, "path")) + at);
            }
        }
    }

    private JsonNode look(Map<String, String> picture, String address) throws Exception {
        JsonNode answer = server.getJson(address);
        picture.put(address, answer.toPrettyString());
        return answer;
    }

    private void bytes(Map<String, String> picture, String address) throws Exception {
        HttpResponse<String> answer = server.get(address);
        picture.put(address, answer.statusCode() + " " + answer.body().hashCode());
    }

    private String turn(String chat, String message) throws Exception {
        try (Events events = server.turn(Map.of("chatId", chat, "message", message))) {
            List<Events.Event> all = new ArrayList<>(events.rest());
            return all.get(all.size() - 2).data().path("message").stringValue();
        }
    }

    private static String path(String path) {
        return URLEncoder.encode(path, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
    }

    private static String id(HttpResponse<String> answer) {
        return text(Json.MAPPER.readTree(answer.body()), "id");
    }

    private static String text(JsonNode node, String field) {
        return node.get(field).stringValue();
    }
}
