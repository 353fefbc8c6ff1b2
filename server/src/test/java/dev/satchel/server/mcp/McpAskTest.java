package dev.satchel.server.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.AskScript;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** What the agent of a chat asks people, listed and answered by MCP. */
@Timeout(180)
class McpAskTest {
    private ScriptedSandbox sandbox;
    private TestServer server;
    private String chat;
    private McpClient client;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.startWithModel(sandbox.url());
        chat = server.newChat();
        client = new McpClient(server, token(chat, "?answers=true"));
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void asksAreListedAndTheirAnswersContinueTheRun() throws Exception {
        waits(chat, AskScript.APPROVAL, AskScript.QUESTION);
        JsonNode asks = asks(client);
        assertThat(asks).hasSize(2);
        assertThat(asks.at("/0/askId").stringValue()).isEqualTo("call_1_0");
        assertThat(asks.at("/0/args/command").stringValue()).isEqualTo("rm -r build");
        assertThat(asks.at("/1/question").stringValue()).isEqualTo("Which year?");

        JsonNode partly = answer(client, Map.of("askId", "call_1_0", "decision", "allow"));
        assertThat(partly.at("/structuredContent/status").stringValue()).isEqualTo("waiting");
        assertThat(asks(client)).hasSize(1);
        JsonNode all = answer(client, Map.of("askId", "call_1_1", "text", "2026"));
        assertThat(all.at("/structuredContent/status").stringValue()).isEqualTo("running");
        RunOnStage next = sandbox.next();
        JsonNode given = AskScript.answers(next);
        assertThat(given.at("/0/decision").stringValue()).isEqualTo("allow");
        assertThat(given.at("/1/text").stringValue()).isEqualTo("2026");
        assertThat(asks(client)).isEmpty();
        next.answers("Done.");
    }

    @Test
    void anAnswerThatDoesNotFitIsRefusedInWords() throws Exception {
        Map<String, String> allow = Map.of("askId", "call_1_0", "decision", "allow");
        assertThat(refusal(answer(client, allow))).isEqualTo("not_found");
        waits(chat, AskScript.APPROVAL, AskScript.QUESTION);
        assertThat(refusal(answer(client, Map.of("askId", "call_9_9", "decision", "allow"))))
                .isEqualTo("not_found");
        assertThat(refusal(answer(client, Map.of("askId", "call_1_0", "decision", "maybe"))))
                .isEqualTo("invalid_request");
        assertThat(refusal(client.call("answer_asks", Map.of("answers", "all of them"))))
                .isEqualTo("invalid_request");
        assertThat(answer(client, allow).get("isError").booleanValue()).isFalse();
        assertThat(refusal(answer(client, allow))).isEqualTo("conflict");
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @Test
    void aTokenSeesOnlyItsChatAndAnswersOnlyIfItMay() throws Exception {
        waits(chat, AskScript.APPROVAL);
        McpClient other = new McpClient(server, token(server.newChat(), "?answers=true"));
        assertThat(asks(other)).isEmpty();
        Map<String, String> allow = Map.of("askId", "call_1_0", "decision", "allow");
        assertThat(refusal(answer(other, allow))).isEqualTo("not_found");

        McpClient reading = McpClient.of(server, chat);
        assertThat(asks(reading)).hasSize(1);
        assertThat(refusal(answer(reading, allow))).isEqualTo("permission_denied");
        assertThat(sandbox.nothingDispatched()).isTrue();
        String path = "/api/assistant/chats/" + chat + "/mcp-token?answers=perhaps";
        assertThat(server.post(path, Map.of()).statusCode()).isEqualTo(400);
    }

    private String token(String id, String query) throws Exception {
        String path = "/api/assistant/chats/" + id + "/mcp-token" + query;
        return Json.MAPPER.readTree(server.post(path, Map.of()).body()).get("token").stringValue();
    }

    private void waits(String id, String... asks) throws Exception {
        try (Events events = server.turn(Map.of("message", "clean up", "chatId", id))) {
            AskScript.asks(sandbox.next(), asks);
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("waiting");
        }
    }

    private static JsonNode asks(McpClient client) throws Exception {
        return client.call("list_asks", Map.of()).at("/structuredContent/asks");
    }

    private static JsonNode answer(McpClient client, Map<String, ?> answer) throws Exception {
        return client.call("answer_asks", Map.of("answers", List.of(answer)));
    }

    private static String refusal(JsonNode result) {
        assertThat(result.get("isError").booleanValue()).isTrue();
        return Json.MAPPER
                .readTree(result.at("/content/0/text").stringValue())
                .get("code")
                .stringValue();
    }
}
