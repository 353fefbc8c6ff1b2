package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Sends messages to chats whose turns are scripted, and reads their threads and queues. */
abstract class ScriptedChatTest extends ScriptedTest {
    static final String SEND = "/api/assistant/chat/stream";

    /** The turn continues when this test does not read it any more. */
    final RunOnStage start(String chat, String text) throws Exception {
        Map<String, Object> body = message(chat, text);
        body.put("onDisconnect", "continue");
        try (Events events = server.turn(body)) {
            assertThat(events.status()).isEqualTo(200);
        }
        return sandbox.next();
    }

    final HttpResponse<String> queue(String chat, String text) throws Exception {
        Map<String, Object> body = message(chat, text);
        body.put("whenBusy", "queue");
        return server.post(SEND, body);
    }

    static Map<String, Object> message(String chat, String text) {
        Map<String, Object> body = new HashMap<>();
        body.put("chatId", chat);
        body.put("message", text);
        body.put("userMessageId", "m-" + text.replace(' ', '-'));
        return body;
    }

    final Events follow(String chat) throws Exception {
        return server.events(server.request("/api/assistant/chats/" + chat + "/stream").build());
    }

    static String queuePath(String chat) {
        return "/api/assistant/chats/" + chat + "/queue";
    }

    final JsonNode queue(String chat) throws Exception {
        return server.getJson(queuePath(chat));
    }

    final List<String> queued(String chat) throws Exception {
        return queue(chat)
                .get("messages")
                .valueStream()
                .map(message -> message.get("message").stringValue())
                .toList();
    }

    final JsonNode chat(String chat) throws Exception {
        return server.getJson("/api/assistant/chats/" + chat);
    }

    /** The texts of the thread; every answer is one text. */
    final List<String> thread(String chat) throws Exception {
        List<String> texts = new ArrayList<>();
        String path = "/api/assistant/chats/" + chat + "?limit=200";
        for (JsonNode message : server.getJson(path).get("messages")) {
            for (JsonNode block : message.get("content")) {
                if (block.get("type").stringValue().equals("text")) {
                    texts.add(block.get("text").stringValue());
                }
            }
        }
        return texts;
    }

    static JsonNode json(HttpResponse<String> response) {
        return Json.MAPPER.readTree(response.body());
    }
}
