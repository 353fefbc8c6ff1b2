package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Messages are queued on any server; each turn starts once, whichever server notices it. */
class QueueOnNodesTest {
    private static final String SEND = "/api/assistant/chat/stream";

    @Test
    void everyQueuedMessageIsSentOnceWhileAllServersLookForWork() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestNodes nodes = new TestNodes()) {
            SandboxConfiguration remote = TestConfiguration.remote(sandbox.url());
            TestServer one = nodes.start(remote);
            TestServer two = nodes.start(remote);
            String chat = one.newChat();
            try (Events _ =
                    one.turn(
                            Map.of(
                                    "message",
                                    "first",
                                    "chatId",
                                    chat,
                                    "onDisconnect",
                                    "continue"))) {
                ScriptedSandbox.RunOnStage first = sandbox.next();
                List<HttpResponse<String>> answers =
                        TestNodes.atOnce(
                                IntStream.range(0, 10)
                                        .mapToObj(
                                                i -> queue(i % 2 == 0 ? one : two, chat, "n" + i)));
                assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(202);
                List<String> order = queued(two, chat);
                assertThat(order).hasSize(10);
                first.answers("done");

                List<String> sent = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    ScriptedSandbox.RunOnStage run = sandbox.next();
                    sent.add(lastMessage(one, chat));
                    assertThat(sandbox.nothingDispatched()).isTrue();
                    run.answers("done");
                    TestNodes.atOnce(Stream.of(sweep(one), sweep(two)));
                }

                assertThat(sent).isEqualTo(order);
                assertThat(sandbox.nothingDispatched()).isTrue();
            }
        }
    }

    private static Callable<HttpResponse<String>> queue(TestServer node, String chat, String text) {
        return () -> node.post(SEND, Map.of("message", text, "chatId", chat, "whenBusy", "queue"));
    }

    private static Callable<Boolean> sweep(TestServer node) {
        return () -> {
            node.sweep();
            return true;
        };
    }

    private static List<String> queued(TestServer node, String chat) throws Exception {
        return node.getJson("/api/assistant/chats/" + chat + "/queue")
                .get("messages")
                .valueStream()
                .map(message -> message.get("message").stringValue())
                .toList();
    }

    private static String lastMessage(TestServer node, String chat) throws Exception {
        JsonNode messages = node.getJson("/api/assistant/chats/" + chat).get("messages");
        return messages.get(messages.size() - 1).at("/content/0/text").stringValue();
    }
}
