package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class CancellationTest extends ScriptedTest {
    @Test
    void aDisconnectedBrowserCancelsItsSilentRun() throws Exception {
        Events events = server.turn(Map.of("message", "hello"));
        JsonNode chat = events.next().orElseThrow().data();
        RunOnStage run = sandbox.next().stepStarts("s1", "work");
        assertThat(events.next().orElseThrow().type()).isEqualTo("step");

        events.close();

        assertThat(run.wasHungUpOn()).isTrue();
        List<Event> received = follow(chat);
        assertThat(received.getLast().data().get("status").stringValue()).isEqualTo("cancelled");
        assertFree(chat, "cancelled");
    }

    @Test
    void aRunContinuesWhenItsClientAskedForIt() throws Exception {
        Events events = server.turn(Map.of("message", "hello", "onDisconnect", "continue"));
        JsonNode chat = events.next().orElseThrow().data();
        RunOnStage run = sandbox.next();
        events.close();

        try (Events again = server.events(streamOf(chat).build())) {
            assertThat(again.next().orElseThrow().data()).isEqualTo(chat);
            run.answers("still here");
            assertThat(again.rest()).extracting(Event::type).containsExactly("result", "end");
        }
    }

    @Test
    void aSecondReaderKeepsTheRunOfAClientThatDisconnects() throws Exception {
        Events events = server.turn(Map.of("message", "hello"));
        JsonNode chat = events.next().orElseThrow().data();
        RunOnStage run = sandbox.next();
        try (Events second = server.events(streamOf(chat).build())) {
            assertThat(second.next().orElseThrow().data()).isEqualTo(chat);
            events.close();
            awaitThatAnotherDisconnectIsNoticed();

            run.answers("still here");

            assertThat(second.rest()).extracting(Event::type).containsExactly("result", "end");
        }
    }

    @Test
    void aReaderThatHasLeftKeepsNothing() throws Exception {
        Events events = server.turn(Map.of("message", "hello"));
        JsonNode chat = events.next().orElseThrow().data();
        RunOnStage run = sandbox.next();
        try (Events second = server.events(streamOf(chat).build())) {
            assertThat(second.next()).isPresent();
        }
        awaitThatAnotherDisconnectIsNoticed();

        events.close();

        assertThat(run.wasHungUpOn()).isTrue();
    }

    @Test
    void aClientThatAskedToCancelCancelsDespiteASecondReader() throws Exception {
        Events events = server.turn(Map.of("message", "hello", "onDisconnect", "cancel"));
        JsonNode chat = events.next().orElseThrow().data();
        RunOnStage run = sandbox.next();
        try (Events second = server.events(streamOf(chat).build())) {
            assertThat(second.next()).isPresent();

            events.close();

            assertThat(run.wasHungUpOn()).isTrue();
            assertThat(second.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("cancelled");
        }
    }

    /** The server has noticed an earlier disconnect when it notices this one. */
    private void awaitThatAnotherDisconnectIsNoticed() throws Exception {
        Events other = server.turn(Map.of("message", "another chat"));
        assertThat(other.next()).isPresent();
        RunOnStage run = sandbox.next();
        other.close();
        assertThat(run.wasHungUpOn()).isTrue();
    }

    @Test
    void cancelReachesTheSandboxAndFreesTheChatAndMayBeRepeated() throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            JsonNode chat = events.next().orElseThrow().data();
            RunOnStage run = sandbox.next();
            String cancel = chatPath(chat) + "/cancel";

            assertThat(server.post(cancel, Map.of()).body()).isEqualTo("{\"cancelled\":true}");
            assertFree(chat, "cancelled");
            assertThat(run.wasHungUpOn()).isTrue();
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("cancelled");
            assertThat(server.post(cancel, Map.of()).body()).isEqualTo("{\"cancelled\":false}");
            assertThat(server.post(cancel, Map.of()).statusCode()).isEqualTo(202);
        }
    }

    /** Lines arrive during the stop; the run must not wait for a line that was never queued. */
    @Test
    void aRunWithMuchOutputStopsAtOnce() throws Exception {
        for (int round = 0; round < 10; round++) {
            try (Events events = server.turn(Map.of("message", "hello"))) {
                JsonNode chat = events.next().orElseThrow().data();
                RunOnStage run = sandbox.next();
                Thread talker = Thread.startVirtualThread(() -> talk(run));
                assertThat(events.next().orElseThrow().type()).isEqualTo("step");

                server.post(chatPath(chat) + "/cancel", Map.of());

                assertThat(run.wasHungUpOn()).isTrue();
                assertThat(events.rest().getLast().data().get("status").stringValue())
                        .isEqualTo("cancelled");
                assertFree(chat, "cancelled");
                talker.interrupt();
                talker.join();
            }
        }
    }

    private static void talk(RunOnStage run) {
        for (int i = 0; !Thread.currentThread().isInterrupted() && i < 2_000; i++) {
            run.stepStarts("s" + i, "work").stepSucceeds("s" + i, "work");
            LockSupport.parkNanos(50_000);
        }
    }

    @Test
    void manyTabsSeeTheSameRunAndOneLeavingDoesNotEndIt() throws Exception {
        try (Events first = server.turn(Map.of("message", "hello", "onDisconnect", "continue"))) {
            JsonNode chat = first.next().orElseThrow().data();
            RunOnStage run = sandbox.next();
            Events second = server.events(streamOf(chat).build());
            assertThat(second.next().orElseThrow().data()).isEqualTo(chat);
            second.close();
            run.stepStarts("s1", "work").stepSucceeds("s1", "work").answers("done");

            assertThat(first.rest())
                    .extracting(Event::type)
                    .containsExactly("step", "step", "result", "end");
        }
    }

    @Test
    void deletingAChatStopsItsTurnFirst() throws Exception {
        try (Events events = server.turn(Map.of("message", "hello"))) {
            JsonNode chat = events.next().orElseThrow().data();
            RunOnStage run = sandbox.next();

            assertThat(server.send("DELETE", chatPath(chat), "").statusCode()).isEqualTo(204);

            assertThat(run.wasHungUpOn()).isTrue();
            assertThat(server.get(chatPath(chat)).statusCode()).isEqualTo(404);
            assertThat(server.send("DELETE", chatPath(chat), "").statusCode()).isEqualTo(204);
            assertThat(server.post(chatPath(chat) + "/restore", "").statusCode()).isEqualTo(200);
            assertFree(chat, "cancelled");
        }
    }

    @Test
    void stoppingTheServerEndsItsRunsAsInterrupted() throws Exception {
        Events events = server.turn(Map.of("message", "hello"));
        events.next();
        RunOnStage run = sandbox.next();

        Thread closing = Thread.ofVirtual().start(server::stop);

        assertThat(run.wasHungUpOn()).isTrue();
        assertThat(events.rest().getLast().data().get("status").stringValue())
                .isEqualTo("interrupted");
        closing.join();
    }

    private List<Event> follow(JsonNode chat) throws Exception {
        HttpRequest request =
                server.request("/api/runs/" + chat.get("runId").stringValue() + "/events").build();
        try (Events events = server.events(request)) {
            return events.rest();
        }
    }

    private HttpRequest.Builder streamOf(JsonNode chat) {
        return server.request(chatPath(chat) + "/stream");
    }

    private void assertFree(JsonNode chat, String status) throws Exception {
        JsonNode thread = server.getJson(chatPath(chat));
        assertThat(thread.get("conversationId").isNull()).isTrue();
        JsonNode content = thread.at("/messages/1/content");
        assertThat(content.get(content.size() - 1).get("status").stringValue()).isEqualTo(status);
    }

    private static String chatPath(JsonNode chat) {
        return "/api/assistant/chats/" + chat.get("chatId").stringValue();
    }
}
