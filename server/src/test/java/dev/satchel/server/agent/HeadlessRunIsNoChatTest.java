package dev.satchel.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** A headless run has a conversation of its own, which no list and no route of chats shows. */
@Timeout(120)
class HeadlessRunIsNoChatTest {
    @ParameterizedTest
    @EnumSource(Dialect.class)
    void chatsAndSessionsDoNotShowIt(Dialect dialect) throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(dialect, sandbox.url())) {
            String chat = server.newChat();
            String run = finishedRun(server, sandbox);

            assertThat(ids(server.getJson("/api/assistant/chats").get("chats")))
                    .containsExactly(chat);
            JsonNode sessions = server.getJson("/api/sessions?includeTotal=true");
            assertThat(ids(sessions.get("sessions"))).containsExactly(chat);
            assertThat(sessions.get("total").intValue()).isEqualTo(1);
            assertThat(ids(server.getJson("/api/storage").get("chats"))).doesNotContain(run);
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theRoutesOfChatsAndSessionsDoNotFindIt(Dialect dialect) throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(dialect, sandbox.url())) {
            String run = finishedRun(server, sandbox);
            String chat = "/api/assistant/chats/" + run;
            String session = "/api/sessions/" + run;
            List<HttpResponse<String>> responses =
                    List.of(
                            server.get(chat),
                            server.get(chat + "/files"),
                            server.get(chat + "/stream"),
                            server.send("PATCH", chat, Map.of("title", "mine")),
                            server.sendAs(TestServer.KEY, "DELETE", chat),
                            server.post(chat + "/restore", Map.of()),
                            server.post(chat + "/cancel", Map.of()),
                            server.post(
                                    "/api/assistant/chat/stream",
                                    Map.of("message", "hi", "chatId", run)),
                            server.post("/agent-server/api/chat/" + run, Map.of("message", "hi")),
                            server.sendAs(
                                    TestServer.KEY, "DELETE", "/agent-server/api/sessions/" + run),
                            server.get("/agent-server/api/sessions/" + run),
                            server.get(session),
                            server.post(session + "/messages", Map.of("content", "hi")),
                            server.post(session + "/fork", Map.of()),
                            server.post(session + "/pause", Map.of()),
                            server.post(
                                    session + "/files",
                                    Map.of(
                                            "files",
                                            List.of(Map.of("path", "a", "content", "eA==")))),
                            server.post(
                                    "/api/ai-sdk/chat",
                                    Map.of(
                                            "id",
                                            run,
                                            "messages",
                                            List.of(
                                                    Map.of(
                                                            "role",
                                                            "user",
                                                            "parts",
                                                            List.of(
                                                                    Map.of(
                                                                            "type", "text", "text",
                                                                            "hi")))))));

            assertThat(responses).extracting(HttpResponse::statusCode).containsOnly(404);
            assertThat(server.get("/api/runs/" + run).statusCode()).isEqualTo(200);
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void itsDispatchNamesNoChatAndItsFilesAreAttached(Dialect dialect) throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(dialect, sandbox.url())) {
            String runs = runs(server);
            String asset = asset(server);
            try (Events events =
                    server.events(
                            server.request(runs)
                                    .header("Accept", "application/x-ndjson")
                                    .POST(
                                            body(
                                                    Map.of(
                                                            "prompt",
                                                            "look",
                                                            "assetIds",
                                                            List.of(asset))))
                                    .build())) {
                RunOnStage run = sandbox.next();
                assertThat(run.dispatch().chatId()).isNull();
                assertThat(run.dispatch().conversation()).isNull();
                JsonNode config =
                        Json.MAPPER.readTree(
                                server.send(
                                                HttpRequest.newBuilder(
                                                                URI.create(
                                                                        run.dispatch().agentUrl()
                                                                                + "/config"))
                                                        .header(
                                                                "Authorization",
                                                                run.dispatch().otpRun())
                                                        .build())
                                        .body());
                assertThat(config.has("chat_id")).isFalse();
                assertThat(config.get("keep_workspace").booleanValue()).isTrue();
                assertThat(config.at("/assets/files/0/name").stringValue()).isEqualTo("a.txt");
                assertThat(config.at("/assets/files/0/attached").booleanValue()).isTrue();
                JsonNode first = Json.MAPPER.readTree(events.line().orElseThrow());
                assertThat(first.get("type").stringValue()).isEqualTo("run");
                assertThat(first.has("chatId")).isFalse();
                JsonNode read = server.getJson("/api/runs/" + first.get("runId").stringValue());
                assertThat(read.get("chatId").isNull()).isTrue();
                assertThat(server.getJson("/api/storage").at("/runFiles/count").intValue())
                        .isEqualTo(1);
                run.answers("done");
                while (events.line().isPresent()) {}
            }
        }
    }

    private static String finishedRun(TestServer server, ScriptedSandbox sandbox) throws Exception {
        try (Events events =
                server.events(
                        server.request(runs(server))
                                .header("Accept", "application/x-ndjson")
                                .POST(
                                        body(
                                                Map.of(
                                                        "prompt",
                                                        "look",
                                                        "assetIds",
                                                        List.of(asset(server)))))
                                .build())) {
            sandbox.next().answers("done");
            String run =
                    Json.MAPPER.readTree(events.line().orElseThrow()).get("runId").stringValue();
            while (events.line().isPresent()) {}
            return run;
        }
    }

    private static String runs(TestServer server) throws Exception {
        JsonNode agent =
                Json.MAPPER.readTree(server.post("/api/agents", Map.of("name", "worker")).body());
        return "/api/agents/" + agent.get("id").stringValue() + "/runs";
    }

    private static String asset(TestServer server) throws Exception {
        HttpResponse<String> made =
                server.send(
                        server.request("/api/assets")
                                .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                .POST(new MultipartBody().file("a.txt", "given").publisher())
                                .build());
        return Json.MAPPER.readTree(made.body()).at("/assets/0/id").stringValue();
    }

    private static HttpRequest.BodyPublisher body(Object value) {
        return BodyPublishers.ofString(Json.MAPPER.writeValueAsString(value));
    }

    private static List<String> ids(JsonNode list) {
        return list.valueStream().map(item -> item.get("id").stringValue()).toList();
    }
}
