package dev.satchel.server.upload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class UploadTest {
    private static final String NEW_CHAT = "/agent-server/api/chat";
    private static final String PNG = "\u0089PNG\r\n\u001a\n____IHDR";

    private ScriptedSandbox sandbox;
    private Path data;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        data = Files.createTempDirectory("satchel-test-");
        server = TestServer.start(data, null, sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void anUploadIsStoredUnderItsIdAndExtension() throws Exception {
        JsonNode answer = upload(server, "", new MultipartBody().file("Sales 1.csv", "a,b\n"));
        String session = answer.get("sessionId").stringValue();
        JsonNode file = answer.get("files").get(0);

        assertThat(file.get("filename").stringValue()).isEqualTo("Sales 1.csv");
        assertThat(file.get("mimeType").stringValue()).startsWith("text/csv");
        assertThat(file.get("size").longValue()).isEqualTo(4);
        assertThat(file.get("sha256").stringValue()).hasSize(64);
        assertThat(file.get("kind").stringValue()).isEqualTo("text");
        assertThat(objects())
                .containsExactly(
                        session + "/uploaded/" + file.get("fileId").stringValue() + ".csv");
    }

    @Test
    void theContentDecidesTheType() throws Exception {
        byte[] png = PNG.getBytes(StandardCharsets.ISO_8859_1);
        JsonNode files =
                upload(server, "", new MultipartBody().file("a.txt", png).file("b.png", "text"))
                        .get("files");

        assertThat(files.get(0).get("kind").stringValue()).isEqualTo("image");
        assertThat(files.get(1).get("kind").stringValue()).isEqualTo("text");
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theFirstMessageMovesItsFilesIntoTheNewConversation(Dialect dialect) throws Exception {
        try (TestServer other = TestServer.start(dialect, sandbox.url())) {
            JsonNode file =
                    upload(other, "", new MultipartBody().file("a.txt", "hello"))
                            .get("files")
                            .get(0);
            String id = file.get("fileId").stringValue();
            try (Events events = chat(other, NEW_CHAT, "Read it", id)) {
                String chatId = events.next().orElseThrow().data().get("chatId").stringValue();
                sandbox.next().answers("Done.");
                assertThat(events.rest().getLast().type()).isEqualTo("end");

                JsonNode session = other.getJson("/agent-server/api/sessions/" + chatId);
                assertThat(session.get("status").stringValue()).isEqualTo("idle");
                assertThat(session.get("messageCount").longValue()).isEqualTo(2);
                assertThat(session.at("/messages/0/fileAttachments/0/id").stringValue())
                        .isEqualTo(id);
                assertThat(session.at("/files/0/fileId").stringValue()).isEqualTo(id);
                String bytes = other.get("/api/assistant/chats/" + chatId + "/files/" + id).body();
                assertThat(bytes).isEqualTo("hello");
            }
        }
    }

    @Test
    void movedBytesLieUnderTheBagsKeyAndNowhereElse() throws Exception {
        String id = fileId(server, "a.txt");
        String chatId = finished(NEW_CHAT, "Read it", id);

        assertThat(objects().stream().filter(key -> !key.startsWith("workspace-snapshots/")))
                .containsExactly("assistant-chat-bag/default/" + chatId + "/a.txt");
    }

    @Test
    void theSameRequestAgainGetsTheSameRunAndMovesNothing() throws Exception {
        String id = fileId(server, "a.txt");
        String chatId = finished(NEW_CHAT, "Read it", id);

        try (Events again = chat(server, NEW_CHAT, "Read it", id)) {
            List<Event> events = again.rest();
            assertThat(events.getFirst().data().get("chatId").stringValue()).isEqualTo(chatId);
            assertThat(events.getLast().type()).isEqualTo("end");
        }
        assertThat(sandbox.nothingDispatched()).isTrue();
        assertThat(server.getJson("/api/assistant/chats").get("chats").size()).isEqualTo(1);
    }

    @Test
    void aFileOfAnotherConversationIsUnknownAndNothingMoves() throws Exception {
        String moved = fileId(server, "a.txt");
        finished(NEW_CHAT, "Read it", moved);
        String waiting = fileId(server, "b.txt");
        List<String> before = objects();

        assertThat(refused(NEW_CHAT, "Other", waiting, moved)).isEqualTo(404);
        String chat = server.newChat();
        assertThat(refused(NEW_CHAT + "/" + chat, "Other", waiting, moved)).isEqualTo(404);

        assertThat(objects()).isEqualTo(before);
        assertThat(server.getJson("/agent-server/api/sessions/" + chat).get("files").size())
                .isZero();
    }

    @Test
    void anotherTenantsFileIsUnknownAndStaysWhereItIs() throws Exception {
        String id = fileId(server, "a.txt");
        String key = otherTenantsKey();
        HttpResponse<String> stolen =
                server.send(
                        java.net.http.HttpRequest.newBuilder(server.url(NEW_CHAT))
                                .header("Authorization", "Bearer " + key)
                                .POST(BodyPublishers.ofString(body("Mine", id)))
                                .build());

        assertThat(stolen.statusCode()).isEqualTo(404);
        finished(NEW_CHAT, "Read it", id);
    }

    @Test
    void anUnknownFileOrAMalformedIdIs404() throws Exception {
        assertThat(refused(NEW_CHAT, "Hi", "00000000-0000-4000-8000-000000000000")).isEqualTo(404);
        assertThat(refused(NEW_CHAT, "Hi", "../../etc/passwd")).isEqualTo(404);
        assertThat(server.getJson("/api/assistant/chats").get("chats").size()).isZero();
    }

    @Test
    void aLaterMessageBringsNewUploadsAndNamesThemApart() throws Exception {
        String first = fileId(server, "a.txt");
        String chatId = finished(NEW_CHAT, "Read it", first);
        String second = fileId(server, "a.txt");

        finished(NEW_CHAT + "/" + chatId, "And this", second, first);

        JsonNode files = server.getJson("/agent-server/api/sessions/" + chatId).get("files");
        assertThat(files.get(0).get("filename").stringValue()).isEqualTo("a.txt");
        assertThat(files.get(1).get("filename").stringValue()).isEqualTo("a-1.txt");
    }

    @Test
    void anUploadMayNameItsTemporarySessionOrItsConversation() throws Exception {
        JsonNode first = upload(server, "", new MultipartBody().file("a.txt", "1"));
        String session = first.get("sessionId").stringValue();
        String chat = server.newChat();

        JsonNode more =
                upload(server, "?sessionId=" + session, new MultipartBody().file("b.txt", "2"));
        JsonNode direct =
                upload(server, "?sessionId=" + chat, new MultipartBody().file("c.txt", "3"));

        assertThat(more.get("sessionId").stringValue()).isEqualTo(session);
        assertThat(direct.get("sessionId").stringValue()).isEqualTo(chat);
        assertThat(objects()).hasSize(3).contains("assistant-chat-bag/default/" + chat + "/c.txt");
        assertThat(
                        post(
                                        "?sessionId=00000000-0000-4000-8000-000000000000",
                                        new MultipartBody().file("d.txt", "4"))
                                .statusCode())
                .isEqualTo(404);
    }

    @Test
    void theLimitItselfPassesAndOneByteMoreLeavesNothing() throws Exception {
        int limit = 10_000_000; // as TestServer is configured
        assertThat(post("", new MultipartBody().file("a.bin", new byte[limit])).statusCode())
                .isEqualTo(201);
        List<String> before = objects();

        HttpResponse<String> tooLarge =
                post(
                        "",
                        new MultipartBody()
                                .file("ok.txt", "small")
                                .file("b.bin", new byte[limit + 1]));

        assertThat(tooLarge.statusCode()).isEqualTo(413);
        assertThat(objects()).isEqualTo(before);
    }

    @Test
    void wipingASessionLeavesNeitherRowsNorBytes() throws Exception {
        String chatId = finished(NEW_CHAT, "Read it", fileId(server, "a.txt"));

        assertThat(delete(chatId)).isEqualTo(204);

        assertThat(objects()).isEmpty();
        assertThat(server.get("/agent-server/api/sessions/" + chatId).statusCode()).isEqualTo(404);
        assertThat(server.get("/api/assistant/chats/" + chatId).statusCode()).isEqualTo(404);
        assertThat(
                        server.post("/api/assistant/chats/" + chatId + "/restore", Map.of())
                                .statusCode())
                .isEqualTo(404);
        assertThat(delete(chatId)).isEqualTo(404);
    }

    @Test
    void wipingABusySessionStopsItsTurnFirst() throws Exception {
        try (Events events = chat(server, NEW_CHAT, "Take long", fileId(server, "a.txt"))) {
            String chatId = events.next().orElseThrow().data().get("chatId").stringValue();
            ScriptedSandbox.RunOnStage run = sandbox.next();
            run.stepStarts("s1", "long");
            assertThat(events.next().orElseThrow().type()).isEqualTo("step");

            assertThat(delete(chatId)).isEqualTo(204);

            assertThat(run.wasHungUpOn()).isTrue();
            assertThat(objects()).isEmpty();
        }
    }

    @Test
    void aTemporarySessionCanBeWipedToo() throws Exception {
        String session =
                upload(server, "", new MultipartBody().file("a.txt", "1"))
                        .get("sessionId")
                        .stringValue();

        assertThat(delete(session)).isEqualTo(204);
        assertThat(objects()).isEmpty();
        assertThat(delete(session)).isEqualTo(404);
    }

    @Test
    void aSecondMessageWhileOneRunsIs409AndCancelFreesTheSession() throws Exception {
        try (Events events = chat(server, NEW_CHAT, "Take long")) {
            String chatId = events.next().orElseThrow().data().get("chatId").stringValue();
            sandbox.next();

            assertThat(refused(NEW_CHAT + "/" + chatId, "Hello?")).isEqualTo(409);
            HttpResponse<String> cancelled =
                    server.post(NEW_CHAT + "/" + chatId + "/cancel", Map.of());

            assertThat(cancelled.statusCode()).isEqualTo(202);
            assertThat(cancelled.body()).contains("true");
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("cancelled");
        }
    }

    @Test
    void agentsAreAnArrayAndThePulseNeedsNoKey() throws Exception {
        assertThat(server.getJson("/agent-server/api/agents").isArray()).isTrue();
        HttpResponse<String> health =
                server.send(
                        java.net.http.HttpRequest.newBuilder(server.url("/agent-server/api/health"))
                                .build());
        assertThat(health.statusCode()).isEqualTo(200);
    }

    private String finished(String path, String message, String... fileIds) throws Exception {
        try (Events events = chat(server, path, message, fileIds)) {
            String chatId = events.next().orElseThrow().data().get("chatId").stringValue();
            sandbox.next().answers("Done.");
            events.rest();
            return chatId;
        }
    }

    private static Events chat(TestServer server, String path, String message, String... fileIds)
            throws IOException, InterruptedException {
        return server.events(
                server.request(path).POST(BodyPublishers.ofString(body(message, fileIds))).build());
    }

    private int refused(String path, String message, String... fileIds) throws Exception {
        return server.send(
                        server.request(path)
                                .POST(BodyPublishers.ofString(body(message, fileIds)))
                                .build())
                .statusCode();
    }

    private static String body(String message, String... fileIds) {
        return Json.MAPPER.writeValueAsString(
                Map.of("message", message, "context", Map.of("fileIds", fileIds)));
    }

    private int delete(String session) throws Exception {
        return server.send(server.request("/agent-server/api/sessions/" + session).DELETE().build())
                .statusCode();
    }

    private static String fileId(TestServer server, String name) throws Exception {
        return upload(server, "", new MultipartBody().file(name, "hello"))
                .at("/files/0/fileId")
                .stringValue();
    }

    private static JsonNode upload(TestServer server, String query, MultipartBody body)
            throws Exception {
        HttpResponse<String> response = post(server, query, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(201);
        return Json.MAPPER.readTree(response.body());
    }

    private HttpResponse<String> post(String query, MultipartBody body) throws Exception {
        return post(server, query, body);
    }

    private static HttpResponse<String> post(TestServer server, String query, MultipartBody body)
            throws Exception {
        return server.send(
                server.request("/agent-server/api/upload" + query)
                        .header("Content-Type", MultipartBody.CONTENT_TYPE)
                        .POST(body.publisher())
                        .build());
    }

    private String otherTenantsKey() throws Exception {
        HttpResponse<String> made =
                server.post("/api/keys", Map.of("name", "other", "workspaceId", "other"));
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        return Json.MAPPER.readTree(made.body()).get("key").stringValue();
    }

    private List<String> objects() throws IOException {
        Path root = data.resolve("objects");
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
