package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client of another make may and may not name. */
class ClientThreadsTest {
    private static final String AI_SDK = "/api/ai-sdk/chat";

    private ScriptedSandbox sandbox;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void oneNameIsOneChatOfEachTenant() throws Exception {
        String theirs = server.keyOf("acme");
        String first = chatOf(TestServer.KEY, "notes");
        String second = chatOf(TestServer.KEY, "notes");

        assertThat(second).isEqualTo(first);
        assertThat(chatOf(theirs, "notes")).isNotEqualTo(first);
        assertThat(server.sendAs(theirs, "GET", AI_SDK + "/notes/messages").body())
                .contains("hello from " + theirs)
                .doesNotContain(TestServer.KEY);
    }

    @Test
    void anotherTenantsChatIsAsUnknownAsADeletedOne() throws Exception {
        String chat = server.newChat();
        HttpResponse<String> foreign = server.send(message(server.keyOf("acme"), chat));
        assertThat(foreign.statusCode()).isEqualTo(404);

        server.sendAs(TestServer.KEY, "DELETE", "/api/assistant/chats/" + chat);
        assertThat(server.send(message(TestServer.KEY, chat)).statusCode()).isEqualTo(404);
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @Test
    void aBusyChatRefusesBeforeItTakesFilesIn() throws Exception {
        try (Events _ = server.events(message(TestServer.KEY, "notes"))) {
            String chat = sandbox.next().dispatch().chatId();
            HttpResponse<String> refused =
                    server.post(
                            AI_SDK,
                            body(
                                    "notes",
                                    List.of(
                                            Map.of("type", "text", "text", "another"),
                                            Map.of("type", "file", "url", "data:text/plain,hi"))));

            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(server.getJson("/api/assistant/chats/" + chat + "/files").get("files"))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"id\":\"x\"}",
                "{\"id\":\"x\",\"messages\":[null]}",
                "{\"id\":\"x\",\"messages\":[{\"role\":\"assistant\"}]}",
                "{\"id\":\"x\",\"messages\":[{\"role\":\"user\"}]}",
                "{\"id\":\"x\",\"messages\":[{\"role\":\"user\",\"parts\":[null]}]}",
                "{\"id\":\"x\",\"messages\":[{\"role\":\"user\",\"parts\":[{\"type\":\"file\",\"url\":\"http://elsewhere/x\"}]}]}",
                "{\"id\":\"x\",\"messages\":[{\"role\":\"user\",\"parts\":[{\"type\":\"file\",\"url\":\"data:text/plain\"}]}]}",
                "{\"id\":\"x\",\"messages\":[{\"role\":\"user\",\"parts\":[{\"type\":\"file\",\"url\":\"data:text/plain,%zz\"}]}]}",
                "{\"id\":\"x\",\"messages\":[{\"role\":\"user\",\"parts\":[{\"type\":\"file\",\"url\":\"data:;base64,*\"}]}]}",
                "{\"id\":\"x\",\"onDisconnect\":\"perhaps\",\"messages\":[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"hi\"}]}]}"
            })
    void whatIsNoMessageOfAPageIs400(String body) throws Exception {
        assertThat(raw(AI_SDK, body)).isEqualTo(400);
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[]}",
                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[{\"role\":\"user\",\"content\":null}]}",
                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[{\"role\":\"user\",\"content\":[null]}]}",
                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"image\",\"source\":{\"type\":\"url\",\"value\":\"http://elsewhere/x\"}}]}]}",
                "{\"threadId\":\"t\",\"runId\":\"r\",\"messages\":[{\"role\":\"tool\",\"content\":\"hi\"}]}",
                "{\"threadId\":\"t\",\"runId\":\"r\",\"forwardedProps\":{\"onDisconnect\":1},\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"
            })
    void whatIsNoInputOfAnAgentIs400(String body) throws Exception {
        assertThat(raw("/api/ag-ui", body)).isEqualTo(400);
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    private String chatOf(String key, String name) throws Exception {
        try (Events events = server.events(message(key, name))) {
            ScriptedSandbox.RunOnStage run = sandbox.next();
            run.answers("hello from " + key);
            while (events.line().isPresent()) {}
            return String.valueOf(run.dispatch().chatId());
        }
    }

    private HttpRequest message(String key, String chat) {
        Object body = body(chat, List.of(Map.of("type", "text", "text", "hello")));
        return server.request(AI_SDK)
                .setHeader("Authorization", "Bearer " + key)
                .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                .build();
    }

    private static Map<String, Object> body(String chat, List<Map<String, String>> parts) {
        return Map.of("id", chat, "messages", List.of(Map.of("role", "user", "parts", parts)));
    }

    private int raw(String path, String body) throws Exception {
        return server.send(server.request(path).POST(BodyPublishers.ofString(body)).build())
                .statusCode();
    }
}
