package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Messages that are sent for the running agent. */
class SteeringTest extends ScriptedChatTest {
    @Test
    void aSteeringMessageThatTheAgentHasHeardStandsInItsAnswerAndWaitsNoLonger() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");
        assertThat(steer(chat, "two").body())
                .isEqualTo("{\"queued\":true,\"messageId\":\"m-two\",\"position\":1}");
        assertThat(queue(chat).at("/messages/0/steering").booleanValue()).isTrue();

        first.say("{\"type\":\"steer\",\"messageId\":\"m-two\",\"text\":\"two\",\"ts\":1}");
        try (Events events = follow(chat)) {
            events.next();
            assertThat(events.next().orElseThrow().type()).isEqualTo("steer");
            assertThat(queued(chat)).isEmpty(); // in the transaction of the line
            first.answers("both");
            events.rest();
        }
        server.sweep();

        assertThat(sandbox.nothingDispatched()).isTrue();
        assertThat(chat(chat).at("/messages/1/content/0/type").stringValue()).isEqualTo("steer");
        assertThat(chat(chat).at("/messages/1/content/0/text").stringValue()).isEqualTo("two");
        assertThat(thread(chat)).containsExactly("one", "both");
    }

    @Test
    void aSteeringMessageThatTheAgentHasNotHeardGetsATurnOfItsOwnInOrder() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");
        queue(chat, "two");
        steer(chat, "three");
        queue(chat, "four");

        first.answers("1");
        sandbox.next().answers("2");
        sandbox.next().answers("3");
        sandbox.next();

        assertThat(thread(chat)).containsExactly("one", "1", "two", "2", "three", "3", "four");
    }

    @Test
    void aQueuedMessageBecomesASteeringOneAndBack() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");
        queue(chat, "two");
        String path = queuePath(chat) + "/m-two";

        server.send("PATCH", path, Map.of("whenBusy", "steer"));
        assertThat(queue(chat).at("/messages/0/steering").booleanValue()).isTrue();
        server.send("PATCH", path, Map.of("whenBusy", "queue", "message", "later"));
        assertThat(queue(chat).at("/messages/0/steering").isMissingNode()).isTrue();
        assertThat(server.send("PATCH", path, Map.of("whenBusy", "reject")).statusCode())
                .isEqualTo(400);
        first.answers("1");
        sandbox.next().answers("2");
    }

    @Test
    void aSteeringMessageWithFilesIsQueuedAndOneOfAFreeChatStartsItsTurn() throws Exception {
        String chat = server.newChat();
        String file = server.upload(chat, "notes.txt", "hello").get("id").stringValue();
        Map<String, Object> body = message(chat, "one");
        body.put("whenBusy", "steer");
        body.put("onDisconnect", "continue");
        try (Events events = server.turn(body)) {
            assertThat(events.status()).isEqualTo(200);
        }
        RunOnStage first = sandbox.next();
        Map<String, Object> withFile = message(chat, "two");
        withFile.put("whenBusy", "steer");
        withFile.put("attachmentIds", List.of(file));
        server.post(SEND, withFile);

        assertThat(queue(chat).at("/messages/0/steering").isMissingNode()).isTrue();
        first.answers("1");
        sandbox.next().answers("2");
    }

    /** However the line and the end of the run meet, the message is heard or sent, once. */
    @Test
    void aMessageThatComesWhenTheTurnEndsIsNeitherLostNorDoubled() throws Exception {
        for (int round = 0; round < 20; round++) {
            String chat = server.newChat();
            RunOnStage run = start(chat, "one");
            Thread ending = Thread.ofVirtual().start(() -> run.answers("1"));
            Map<String, Object> body = message(chat, "two");
            body.put("whenBusy", "steer");
            body.put("onDisconnect", "continue");
            try (Events sent = server.turn(body)) {
                assertThat(sent.status()).isIn(200, 202);
            }
            ending.join();
            RunOnStage own = sandbox.next();

            assertThat(queued(chat)).isEmpty();
            assertThat(thread(chat)).containsExactly("one", "1", "two");
            own.answers("2");
        }
    }

    /** The agent may have read the message already when a person takes it back. */
    @Test
    void aMessageThatWasTakenBackTooLateIsNotSentAgain() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");
        steer(chat, "two");
        server.send("PATCH", queuePath(chat) + "/m-two", Map.of("whenBusy", "queue"));

        try (Events events = follow(chat)) {
            first.say("{\"type\":\"steer\",\"messageId\":\"m-two\",\"text\":\"two\",\"ts\":1}");
            first.answers("both");
            events.rest();
        }
        server.sweep();

        assertThat(queued(chat)).isEmpty();
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @Test
    void aSteeringMessageThatIsEditedIsStillShortEnoughToBeHeard() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");
        steer(chat, "two");
        String path = queuePath(chat) + "/m-two";

        server.send("PATCH", path, Map.of("message", "x".repeat(16_384)));
        assertThat(queue(chat).at("/messages/0/steering").booleanValue()).isTrue();
        server.send("PATCH", path, Map.of("message", "x".repeat(16_385)));
        assertThat(queue(chat).at("/messages/0/steering").isMissingNode()).isTrue();
        server.send("PATCH", path, Map.of("whenBusy", "steer"));
        assertThat(queue(chat).at("/messages/0/steering").isMissingNode()).isTrue();
        first.answers("1");
        assertThat(sandbox.next().dispatch().prompt()).hasSize(16_385);
    }

    private HttpResponse<String> steer(String chat, String text) throws Exception {
        Map<String, Object> body = message(chat, text);
        body.put("whenBusy", "steer");
        return server.post(SEND, body);
    }
}
