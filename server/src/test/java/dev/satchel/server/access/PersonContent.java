package dev.satchel.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestPeople.Person;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The ids of what a person has: a chat with a file and a turn, and an upload. */
record PersonContent(
        String chat,
        String message,
        String file,
        String upload,
        String run,
        String runFile,
        String share) {
    private static final Pattern RUN = Pattern.compile("\"runId\":\"([0-9a-f-]{36})\"");

    /** Has a word in the text of the file, the question and the answer. */
    static PersonContent create(
            TestServer server, ScriptedSandbox sandbox, Person person, String word)
            throws Exception {
        String chats = "/api/assistant/chats";
        HttpRequest creation =
                request(server, person, chats).POST(BodyPublishers.ofString("{}")).build();
        String chat = json(server.send(creation)).get("id").asString();
        HttpRequest upload =
                request(server, person, chats + "/" + chat + "/files")
                        .setHeader("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(new MultipartBody().file("a.txt", word).publisher())
                        .build();
        String file = json(server.send(upload)).get("files").get(0).get("id").asString();
        Map<String, String> message = Map.of("message", "about " + word, "chatId", chat);
        String run = turn(server, sandbox, person, "/api/assistant/chat/stream", message, word);
        HttpRequest thread = request(server, person, chats + "/" + chat).build();
        HttpRequest share =
                request(server, person, chats + "/" + chat + "/shares")
                        .POST(BodyPublishers.ofString("{\"with\":\"link\"}"))
                        .build();
        HttpRequest tus =
                request(server, person, "/api/uploads")
                        .header("Tus-Resumable", "1.0.0")
                        .header("Upload-Length", "0")
                        .POST(BodyPublishers.noBody())
                        .build();
        String location = server.send(tus).headers().firstValue("Location").orElseThrow();
        return new PersonContent(
                chat,
                json(server.send(thread)).at("/messages/0/id").asString(),
                file,
                location.substring(location.lastIndexOf('/') + 1),
                run,
                file,
                json(server.send(share)).get("id").asString());
    }

    static PersonContent unknown() {
        return new PersonContent(id(), id(), id(), id(), id(), id(), id());
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }

    /** What the parameters of a route have to be, so that the route is about this content. */
    String fill(String template) {
        if (template.startsWith("/v1/responses/")) {
            return template.replace("{id}", "resp_" + run);
        }
        if (template.startsWith("/v1/files/")) {
            return template.replace("{id}", "file-" + file);
        }
        String id = template.startsWith("/api/attachments/") ? file : chat;
        String fileId =
                template.startsWith("/api/uploads/")
                        ? upload
                        : template.startsWith("/api/runs/") ? runFile : file;
        return template.replace("{id}", id)
                .replace("{fileId}", fileId)
                .replace("{runId}", run)
                .replace("{shareId}", share)
                .replace("{messageId}", message)
                .replace("{sessionId}", chat)
                .replace("{chatId}", chat)
                .replace("{threadId}", chat)
                .replace("{path}", "a.txt")
                .replaceAll("\\{[^}]*}", "a");
    }

    /** Answers name what was asked for. */
    String withoutIds(String body) {
        String plain = body;
        for (String one : List.of(chat, message, file, upload, run, runFile, share)) {
            plain = plain.replace(one, "ID");
        }
        return plain.replaceAll("\"(traceId|requestId|instance)\":\"[^\"]*\"", "");
    }

    /** A turn to its end; returns the id of its run, or nothing if its events do not name it. */
    static String turn(
            TestServer server,
            ScriptedSandbox sandbox,
            Person person,
            String path,
            Map<String, ?> body,
            String word)
            throws Exception {
        Thread answer = Thread.ofVirtual().start(() -> answer(sandbox, word));
        HttpRequest request =
                request(server, person, path)
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                        .build();
        HttpResponse<String> stream = server.send(request);
        answer.join();
        assertThat(stream.statusCode()).as(stream.body()).isEqualTo(200);
        Matcher run = RUN.matcher(stream.body());
        return run.find() ? run.group(1) : "";
    }

    private static void answer(ScriptedSandbox sandbox, String word) {
        try {
            sandbox.next().answers("the answer about " + word);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static JsonNode json(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
        return Json.MAPPER.readTree(response.body());
    }

    private static HttpRequest.Builder request(TestServer server, Person person, String path) {
        return server.request(path)
                .setHeader("Authorization", "Bearer " + person.key())
                .header("Content-Type", "application/json");
    }
}
