package dev.satchel.server.node;

import static dev.satchel.server.node.NodeCalls.files;
import static dev.satchel.server.node.NodeCalls.message;
import static dev.satchel.server.node.NodeCalls.turn;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.SandboxConfiguration;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Branches of a thread whose requests reach different servers, each with a disk of its own. */
@Timeout(180)
class BranchesOnNodesTest {
    private static final SandboxConfiguration OWN = TestConfiguration.embedded();
    private static final int ROUNDS = 6;

    private TestNodes nodes;
    private TestServer one;
    private TestServer other;
    private String chat;

    /** The answers of the first two turns. */
    private String first;

    private String second;

    @BeforeEach
    void start() throws Exception {
        nodes = new TestNodes();
        one = nodes.start(OWN);
        other = nodes.start(OWN);
        chat = one.newChat();
        turn(one, chat, "/sh printf 1 > a.txt");
        turn(one, chat, "/sh printf 2 > a.txt; mkdir d; printf b > d/b.txt");
        first = ids(one).get(1);
        second = ids(one).get(3);
    }

    @AfterEach
    void stop() {
        nodes.close();
    }

    @Test
    void aThreadIsEditedAndSwitchedThroughAnyServer() throws Exception {
        try (Events events =
                other.turn(
                        Map.of(
                                "chatId", chat,
                                "parentMessageId", first,
                                "message", "/sh cat a.txt; ls; printf c > c.txt"))) {
            assertThat(message(events.rest())).contains("```\n1a.txt\n```");
        }
        String third = ids(one).getLast();
        assertFiles(Map.of("a.txt", "1", "c.txt", "c"));

        assertThat(switchTo(one, second)).isEqualTo(200);
        assertFiles(Map.of("a.txt", "2", "d/b.txt", "b"));
        assertThat(switchTo(other, third)).isEqualTo(200);
        assertFiles(Map.of("a.txt", "1", "c.txt", "c"));
        assertThat(message(turn(other, chat, "/sh cat a.txt c.txt"))).contains("1c");
        assertThat(ids(one)).hasSize(6).isEqualTo(ids(other));
    }

    @Test
    void filesAreRestoredAndForkedThroughAnyServer() throws Exception {
        JsonNode snapshots = other.getJson("/api/sessions/" + chat + "/snapshots");
        String oldest = snapshots.at("/snapshots/1/id").stringValue();
        HttpResponse<String> restored =
                other.post(
                        "/api/sessions/" + chat + "/restore",
                        Map.of("snapshot", oldest, "paths", List.of("a.txt")));
        assertThat(restored.statusCode()).as(restored.body()).isEqualTo(200);
        Map<String, String> mixed = Map.of("a.txt", "1", "d/b.txt", "b");
        assertFiles(mixed);

        assertThat(filesOf(other, fork(one, first))).isEqualTo(Map.of("a.txt", "1"));
        String fork = fork(one, second);
        assertThat(filesOf(one, fork)).isEqualTo(mixed);
        assertThat(filesOf(other, fork)).isEqualTo(mixed);
        assertThat(other.post("/api/sessions/" + fork + "/resume", Map.of()).statusCode())
                .isEqualTo(200);
        assertThat(message(turn(other, fork, "/sh cat a.txt d/b.txt; rm a.txt"))).contains("1b");
        assertFiles(mixed);
    }

    @Test
    void ofTwoSwitchesAtOnceOneIsLastWithItsFiles() throws Exception {
        Map<String, Map<String, String>> expected =
                Map.of(first, Map.of("a.txt", "1"), second, Map.of("a.txt", "2", "d/b.txt", "b"));
        for (int round = 0; round < ROUNDS; round++) {
            List<Integer> statuses =
                    TestNodes.atOnce(
                            List.<Callable<Integer>>of(
                                    () -> goBackTo(one, first), () -> goBackTo(other, second))
                                    .stream());
            assertThat(statuses).isSubsetOf(200, 409).contains(200);
            assertFiles(requireNonNull(expected.get(ids(one).getLast())));
        }
    }

    private void assertFiles(Map<String, String> expected) throws Exception {
        assertThat(filesOf(one, chat)).isEqualTo(expected);
        assertThat(filesOf(other, chat)).isEqualTo(expected);
    }

    private static Map<String, String> filesOf(TestServer server, String chat) throws Exception {
        Map<String, String> contents = new TreeMap<>();
        for (JsonNode file : server.getJson(files(chat)).get("files")) {
            String path = file.get("path").stringValue();
            contents.put(path, server.get(files(chat) + "/" + path).body());
        }
        return contents;
    }

    private int switchTo(TestServer server, String message) throws Exception {
        return head(server, Map.of("messageId", message));
    }

    /** Makes the message itself the head, not the last one of its branch. */
    private int goBackTo(TestServer server, String message) throws Exception {
        return head(server, Map.of("messageId", message, "exact", true));
    }

    private int head(TestServer server, Map<String, ?> wanted) throws Exception {
        return server.post("/api/assistant/chats/" + chat + "/head", wanted).statusCode();
    }

    private String fork(TestServer server, String message) throws Exception {
        HttpResponse<String> forked =
                server.post("/api/sessions/" + chat + "/fork", Map.of("messageId", message));
        assertThat(forked.statusCode()).as(forked.body()).isEqualTo(201);
        return Json.MAPPER.readTree(forked.body()).at("/session/id").stringValue();
    }

    private List<String> ids(TestServer server) throws Exception {
        return server.getJson("/api/assistant/chats/" + chat)
                .get("messages")
                .valueStream()
                .map(message -> message.get("id").stringValue())
                .toList();
    }
}
