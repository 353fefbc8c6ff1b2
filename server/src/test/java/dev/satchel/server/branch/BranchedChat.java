package dev.satchel.server.branch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A chat on a server with a scripted sandbox; every answer repeats what the model was told. */
final class BranchedChat implements AutoCloseable {
    final ScriptedSandbox sandbox;
    final TestServer server;
    final String id;

    BranchedChat(Dialect dialect) throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(dialect, sandbox.url());
        id = server.newChat();
    }

    String path() {
        return "/api/assistant/chats/" + id;
    }

    /** Sends a message after the head. */
    void say(String message, String answer) throws Exception {
        List<String> _ = turn(Map.of("message", message), answer);
    }

    /** Sends a message after another one, or as a new first one. */
    void sayAfter(@Nullable String parent, String message, String answer) throws Exception {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("message", message);
        body.put("parentMessageId", parent);
        List<String> _ = turn(body, answer);
    }

    List<String> retry(String message, String answer) throws Exception {
        return turn(Map.of("userMessageId", message, "regenerate", true), answer);
    }

    /** Returns what the model is told of the messages before. */
    List<String> turn(Map<String, ?> body, String answer) throws Exception {
        Map<String, Object> inChat = new LinkedHashMap<>(body);
        inChat.put("chatId", id);
        try (Events events = server.turn(inChat)) {
            assertThat(events.status()).isEqualTo(200);
            RunOnStage run = sandbox.next();
            List<String> told =
                    Objects.requireNonNull(run.dispatch().conversation()).stream()
                            .map(ChatTurn::content)
                            .toList();
            run.answers(answer);
            events.rest();
            return told;
        }
    }

    int statusOf(Map<String, ?> body) throws Exception {
        Map<String, Object> inChat = new LinkedHashMap<>(body);
        inChat.put("chatId", id);
        return server.post("/api/assistant/chat/stream", inChat).statusCode();
    }

    int switchTo(String message) throws Exception {
        return server.post(path() + "/head", Map.of("messageId", message)).statusCode();
    }

    int goBackTo(String message) throws Exception {
        return server.post(path() + "/head", Map.of("messageId", message, "exact", true))
                .statusCode();
    }

    JsonNode read() throws Exception {
        return server.getJson(path());
    }

    List<JsonNode> messages(String query) throws Exception {
        List<JsonNode> all = new ArrayList<>();
        server.getJson(path() + query).get("messages").forEach(all::add);
        return all;
    }

    List<String> texts() throws Exception {
        return texts("");
    }

    List<String> texts(String query) throws Exception {
        return messages(query).stream().map(BranchedChat::text).toList();
    }

    static String text(JsonNode message) {
        return message.at("/content/0/text").stringValue("");
    }

    /** The id of the newest message of the active path with a text. */
    String idOf(String text) throws Exception {
        return messages("").reversed().stream()
                .filter(message -> text(message).equals(text))
                .map(message -> message.get("id").stringValue())
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        server.close();
        sandbox.close();
    }
}
