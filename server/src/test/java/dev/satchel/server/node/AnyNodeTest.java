package dev.satchel.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Any node answers any request: a turn of one is another's to follow, resume, cancel and delete.
 */
class AnyNodeTest {
    private TestNodes nodes;
    private ScriptedSandbox sandbox;
    private TestServer one;
    private TestServer other;

    @BeforeEach
    void start() throws Exception {
        nodes = new TestNodes();
        sandbox = new ScriptedSandbox();
        one = nodes.start(TestConfiguration.remote(sandbox.url()));
        other = nodes.start(TestConfiguration.remote(sandbox.url()));
    }

    @AfterEach
    void stop() {
        nodes.close();
        sandbox.close();
    }

    @Test
    void aTurnOfOneServerIsFollowedAndResumedOnTheOther() throws Exception {
        try (Events own = one.turn(Map.of("message", "hello"))) {
            String chat = own.next().orElseThrow().data().get("chatId").stringValue();
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "one");
            String seen = own.next().orElseThrow().id();

            try (Events resumed =
                    other.events(
                            other.request("/api/assistant/chats/" + chat + "/stream")
                                    .header("Last-Event-ID", seen)
                                    .build())) {
                run.stepSucceeds("s1", "one");
                assertThat(resumed.next().orElseThrow().data().get("status").stringValue())
                        .isEqualTo("succeeded");
                run.answers("done");
                assertThat(resumed.rest()).extracting(Event::type).containsExactly("result", "end");
            }
        }
    }

    @Test
    void aRunOfAnotherServerIsStreamedAsNdjson() throws Exception {
        try (Events own = one.turn(Map.of("message", "hello"))) {
            String chat = own.next().orElseThrow().data().get("chatId").stringValue();
            RunOnStage run = sandbox.next();
            try (Events lines =
                            other.events(
                                    other.request("/api/assistant/chats/" + chat + "/stream")
                                            .header("Accept", "application/x-ndjson")
                                            .build());
                    BufferedReader reader =
                            new BufferedReader(
                                    new InputStreamReader(
                                            lines.response().body(), StandardCharsets.UTF_8))) {
                run.stepStarts("s1", "one").answers("done");
                List<String> types =
                        reader.lines()
                                .filter(line -> !line.isBlank())
                                .map(Json.MAPPER::readTree)
                                .map(line -> line.get("type").stringValue())
                                .toList();
                assertThat(types).containsExactly("chat", "step", "result", "end");
            }
        }
    }

    @Test
    void aReaderOnAnotherServerKeepsTheRunOfAClientThatDisconnects() throws Exception {
        Events own = one.turn(Map.of("message", "hello"));
        String chat = own.next().orElseThrow().data().get("chatId").stringValue();
        RunOnStage run = sandbox.next();
        try (Events second =
                other.events(other.request("/api/assistant/chats/" + chat + "/stream").build())) {
            assertThat(second.next()).isPresent();
            own.close();
            Events another = one.turn(Map.of("message", "another chat"));
            assertThat(another.next()).isPresent();
            RunOnStage cancelled = sandbox.next();
            another.close();
            assertThat(cancelled.wasHungUpOn()).isTrue(); // so the first disconnect is noticed too

            run.answers("still here");

            assertThat(second.rest()).extracting(Event::type).containsExactly("result", "end");
        }
    }

    @Test
    void aTurnOfOneServerIsCancelledOnTheOther() throws Exception {
        try (Events own = one.turn(Map.of("message", "hello", "onDisconnect", "continue"))) {
            String chat = own.next().orElseThrow().data().get("chatId").stringValue();
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "one");
            assertThat(own.next()).isPresent();

            assertThat(
                            other.post("/api/assistant/chats/" + chat + "/cancel", Map.of())
                                    .statusCode())
                    .isEqualTo(202);

            assertThat(run.wasHungUpOn()).isTrue();
            assertThat(own.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("cancelled");
            assertThat(other.getJson("/api/assistant/chats/" + chat).get("conversationId").isNull())
                    .isTrue();
        }
    }

    /** The owner ends the run, since only the owner has its last steps. */
    @Test
    void theOwnerEndsARunThatIsCancelledElsewhere() throws Exception {
        try (Events own = one.turn(Map.of("message", "hello", "onDisconnect", "continue"))) {
            JsonNode first = own.next().orElseThrow().data();
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "one");
            assertThat(own.next()).isPresent();
            run.stepSucceeds("s1", "one"); // on its way while the other node cancels

            other.post("/api/runs/" + first.get("runId").stringValue() + "/cancel", Map.of());

            assertThat(own.rest()).extracting(Event::type).endsWith("error", "end");
            assertThat(run.wasHungUpOn()).isTrue();
        }
    }

    @Test
    void aConversationThatIsBusyOnOneServerIsBusyOnTheOther() throws Exception {
        try (Events own = one.turn(Map.of("message", "hello", "onDisconnect", "continue"))) {
            String chat = own.next().orElseThrow().data().get("chatId").stringValue();
            Map<String, String> again = Map.of("message", "again", "chatId", chat);
            assertThat(other.post("/api/assistant/chat/stream", again).statusCode()).isEqualTo(409);

            sandbox.next().answers("done");
            own.rest();
            try (Events next = other.turn(again)) {
                sandbox.next().answers("again");
                assertThat(next.rest().getLast().data().get("status").stringValue())
                        .isEqualTo("succeeded");
            }
        }
    }

    @Test
    void deletingOnTheOtherServerStopsTheTurn() throws Exception {
        try (Events own = one.turn(Map.of("message", "hello", "onDisconnect", "continue"))) {
            String chat = own.next().orElseThrow().data().get("chatId").stringValue();
            RunOnStage run = sandbox.next();
            String path = "/api/assistant/chats/" + chat;

            assertThat(other.sendAs(TestServer.KEY, "DELETE", path).statusCode()).isEqualTo(204);

            assertThat(run.wasHungUpOn()).isTrue();
            assertThat(own.rest().getLast().type()).isEqualTo("end");
            assertThat(one.get(path).statusCode()).isEqualTo(404);
            assertThat(one.post(path + "/restore", Map.of()).statusCode()).isEqualTo(200);
            assertThat(other.get(path).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void callbacksOfARunMayReachAnyNode() throws Exception {
        String chat = one.newChat();
        one.upload(chat, "a.txt", "alpha");
        try (Events own = one.turn(Map.of("message", "hello", "chatId", chat))) {
            RunOnStage run = sandbox.next();
            String path = java.net.URI.create(run.dispatch().agentUrl()).getPath();
            JsonNode config =
                    Json.MAPPER.readTree(
                            other.sendAs(run.dispatch().otpRun(), "GET", path + "/config").body());
            String zip = config.at("/assets/url").stringValue();
            java.net.URI link = java.net.URI.create(zip);
            assertThat(other.get(link.getPath() + "?" + link.getQuery()).statusCode())
                    .isEqualTo(200);
            assertThat(one.sendAs(run.dispatch().otpRun(), "GET", path + "/config").statusCode())
                    .isEqualTo(401);
            run.answers("done");
            own.rest();
        }
    }
}
