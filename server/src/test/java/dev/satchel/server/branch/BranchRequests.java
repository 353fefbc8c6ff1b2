package dev.satchel.server.branch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Requests about the branches of a chat, each to one of several servers. */
final class BranchRequests {
    /** The status with which a busy chat, or one without the files of a message, refuses. */
    static final int CONFLICT = 409;

    private final BranchServers servers;

    BranchRequests(BranchServers servers) {
        this.servers = servers;
    }

    record Answer(int status, String text) {
        JsonNode body() {
            return Json.MAPPER.readTree(text);
        }

        Answer is(int expected) {
            assertThat(status).as(text).isEqualTo(expected);
            return this;
        }

        boolean isGone() {
            return status == CONFLICT && text.contains("no longer kept");
        }
    }

    Answer send(int server, String method, String path, @Nullable Object body)
            throws IOException, InterruptedException {
        String json = body == null ? "" : Json.MAPPER.writeValueAsString(body);
        HttpResponse<String> response = servers.get(server).send(method, path, json);
        return new Answer(response.statusCode(), response.body());
    }

    Answer get(int server, String path) throws IOException, InterruptedException {
        return send(server, "GET", path, null);
    }

    static String chat(String id) {
        return "/api/assistant/chats/" + id;
    }

    static String session(String id) {
        return "/api/sessions/" + id;
    }

    String newChat(int server) throws Exception {
        return send(server, "POST", "/api/assistant/chats", Map.of())
                .body()
                .get("id")
                .stringValue();
    }

    /** The body of a turn that follows a message, or the beginning. */
    static Map<String, Object> message(ExpectedChat chat, String parent, String text) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("chatId", chat.id());
        body.put("message", text);
        if (!parent.equals(chat.head())) {
            body.put("parentMessageId", parent.equals(ExpectedChat.BEGINNING) ? null : parent);
        }
        return body;
    }

    static Map<String, Object> regeneration(ExpectedChat chat, String question) {
        return Map.of("chatId", chat.id(), "userMessageId", question, "regenerate", true);
    }

    Answer head(int server, String chat, String message, boolean exact)
            throws IOException, InterruptedException {
        return send(
                server, "POST", chat(chat) + "/head", Map.of("messageId", message, "exact", exact));
    }

    /** The messages of the active path, from all its pages. */
    List<JsonNode> path(int server, String chat) throws IOException, InterruptedException {
        List<JsonNode> path = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = get(server, chat(chat) + "?limit=50" + cursor).is(200).body();
            path.addAll(0, page.get("messages").valueStream().toList());
            JsonNode next = page.get("nextCursor");
            cursor = next.isNull() ? "" : "&cursor=" + next.stringValue();
        } while (!cursor.isEmpty());
        return path;
    }

    /** Newest first. */
    List<JsonNode> snapshots(int server, String chat) throws IOException, InterruptedException {
        return get(server, session(chat) + "/snapshots")
                .is(200)
                .body()
                .get("snapshots")
                .valueStream()
                .toList();
    }

    /** The contents of the files by their paths, also of links to files. */
    Map<String, String> files(int server, String chat) throws IOException, InterruptedException {
        Map<String, String> files = new HashMap<>();
        Answer listed = get(server, session(chat) + "/files").is(200);
        for (JsonNode file : listed.body().get("files")) {
            String path = file.get("path").stringValue();
            files.put(path, get(server, session(chat) + "/files/" + path).text());
        }
        return files;
    }

    Answer write(int server, String chat, String path, String content)
            throws IOException, InterruptedException {
        Map<String, String> file = Map.of("path", path, "content", base64(content));
        return send(server, "POST", session(chat) + "/files", Map.of("files", List.of(file)));
    }

    /** Returns the id of the file. */
    String attach(int server, String chat, String name, String content)
            throws IOException, InterruptedException {
        Map<String, String> file = Map.of("filename", name, "content", base64(content));
        return send(server, "POST", session(chat) + "/attachments", file)
                .is(201)
                .body()
                .at("/attachment/id")
                .stringValue();
    }

    private static String base64(String content) {
        return Base64.getEncoder().encodeToString(content.getBytes(UTF_8));
    }
}
