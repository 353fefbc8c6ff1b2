package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Messages that are sent while a turn is running wait for their own turn. */
class QueueTest extends ScriptedChatTest {
    @Test
    void queuedMessagesRunInOrderEachInARunOfItsOwn() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");

        assertThat(queue(chat, "two").body())
                .isEqualTo("{\"queued\":true,\"messageId\":\"m-two\",\"position\":1}");
        assertThat(json(queue(chat, "three")).get("position").intValue()).isEqualTo(2);
        assertThat(json(queue(chat, "four")).get("position").intValue()).isEqualTo(3);
        assertThat(queued(chat)).containsExactly("two", "three", "four");
        assertThat(chat(chat).get("queued").intValue()).isEqualTo(3);
        assertThat(sandbox.nothingDispatched()).isTrue();

        first.answers("1");
        sandbox.next().answers("2");
        sandbox.next().answers("3");
        RunOnStage last = sandbox.next();
        assertThat(queued(chat)).isEmpty();
        try (Events events = follow(chat)) {
            last.answers("4");
            events.rest();
        }

        assertThat(thread(chat)).containsExactly("one", "1", "two", "2", "three", "3", "four", "4");
        assertThat(
                        chat(chat)
                                .get("messages")
                                .valueStream()
                                .map(m -> m.path("runId").stringValue("")))
                .filteredOn(run -> !run.isEmpty())
                .doesNotHaveDuplicates()
                .hasSize(4);
    }

    @Test
    void aMessageIsEditedOrRemovedUntilItsTurnStarts() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");
        queue(chat, "two");
        queue(chat, "three");

        HttpResponse<String> edited =
                server.send("PATCH", queuePath(chat) + "/m-two", Map.of("message", "2nd"));
        assertThat(edited.statusCode()).isEqualTo(200);
        assertThat(server.send("DELETE", queuePath(chat) + "/m-three", "").statusCode())
                .isEqualTo(204);
        assertThat(queued(chat)).containsExactly("2nd");
        first.answers("1");
        RunOnStage second = sandbox.next();

        assertThat(thread(chat)).containsExactly("one", "1", "2nd");
        for (String gone : List.of("m-two", "m-three", "unknown", "%20")) {
            String path = queuePath(chat) + "/" + gone;
            assertThat(server.send("DELETE", path, "").statusCode()).isEqualTo(404);
            assertThat(server.send("PATCH", path, Map.of("message", "late")).statusCode())
                    .isEqualTo(404);
        }
        second.answers("2");
    }

    @Test
    void anEditedMessageMustHaveAText() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");
        queue(chat, "two");
        String path = queuePath(chat) + "/m-two";

        assertThat(server.send("PATCH", path, Map.of("message", " ")).statusCode()).isEqualTo(400);
        assertThat(server.send("PATCH", path, Map.of()).statusCode()).isEqualTo(400);
        assertThat(server.send("PATCH", path, Map.of("message", "x".repeat(262_145))).statusCode())
                .isEqualTo(400);
        assertThat(queued(chat)).containsExactly("two");
        first.answers("1");
        sandbox.next().answers("2");
    }

    @Test
    void aCancelledTurnPausesTheQueueUntilItIsResumed() throws Exception {
        String chat = server.newChat();
        start(chat, "one");
        queue(chat, "two");
        queue(chat, "three");

        server.post("/api/assistant/chats/" + chat + "/cancel", Map.of());
        server.sweep();

        assertThat(queue(chat).get("paused").booleanValue()).isTrue();
        assertThat(sandbox.nothingDispatched()).isTrue();
        assertThat(server.get("/api/assistant/chats/" + chat + "/stream").statusCode())
                .isEqualTo(204);

        assertThat(server.post(queuePath(chat) + "/resume", Map.of()).statusCode()).isEqualTo(202);
        RunOnStage second = sandbox.next();
        assertThat(queue(chat).get("paused").booleanValue()).isFalse();
        second.answers("2");
        sandbox.next().answers("3");
    }

    @Test
    void aNewMessageLetsAPausedQueueGoOnBehindTheOthers() throws Exception {
        String chat = server.newChat();
        start(chat, "one");
        queue(chat, "two");
        server.post("/api/assistant/chats/" + chat + "/cancel", Map.of());

        HttpResponse<String> third = queue(chat, "three");

        assertThat(third.statusCode()).isEqualTo(202);
        sandbox.next().answers("2");
        sandbox.next();
        assertThat(thread(chat)).endsWith("two", "2", "three");
    }

    @Test
    void aMessageThatDoesNotQueueRunsFirstAndThePausedQueueFollows() throws Exception {
        String chat = server.newChat();
        start(chat, "one");
        queue(chat, "two");
        server.post("/api/assistant/chats/" + chat + "/cancel", Map.of());

        RunOnStage urgent = start(chat, "urgent");
        urgent.answers("at once");

        sandbox.next();
        assertThat(thread(chat)).endsWith("urgent", "at once", "two");
    }

    @Test
    void aFailedTurnDoesNotPauseTheQueue() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");
        queue(chat, "two");

        first.say("{\"type\":\"error\",\"code\":\"oops\",\"message\":\"it broke\"}").hangsUp();

        sandbox.next().answers("2");
    }

    @Test
    void aReaderFindsTheNextTurnRightAfterTheEnd() throws Exception {
        String chat = server.newChat();
        try (Events events = server.turn(message(chat, "one"))) {
            queue(chat, "two");
            sandbox.next().answers("1");
            events.rest();
        }
        try (Events next = follow(chat)) {
            assertThat(next.status()).isEqualTo(200);
            assertThat(next.next().orElseThrow().data().get("messageId").stringValue())
                    .isEqualTo("m-two");
            sandbox.next().answers("2");
            next.rest();
        }
        assertThat(server.get("/api/assistant/chats/" + chat + "/stream").statusCode())
                .isEqualTo(204);
    }

    @Test
    void filesOfAQueuedMessageAreAttachedAtOnceAndFreedWhenItIsRemoved() throws Exception {
        String chat = server.newChat();
        String file = server.upload(chat, "notes.txt", "hello").get("id").stringValue();
        RunOnStage first = start(chat, "one");
        Map<String, Object> body = message(chat, "two");
        body.put("whenBusy", "queue");
        body.put("attachmentIds", List.of(file));

        assertThat(server.post(SEND, body).statusCode()).isEqualTo(202);
        assertThat(queue(chat).at("/messages/0/fileAttachments/0/name").stringValue())
                .isEqualTo("notes.txt");
        assertThat(messageOf(chat, file)).isEqualTo("m-two");

        server.send("DELETE", queuePath(chat) + "/m-two", "");
        assertThat(messageOf(chat, file)).isEmpty();

        body.put("userMessageId", "m-again");
        body.put("message", "");
        assertThat(server.post(SEND, body).statusCode()).isEqualTo(202);
        first.answers("1");
        RunOnStage second = sandbox.next();
        assertThat(chat(chat).at("/messages/2/fileAttachments/0/id").stringValue()).isEqualTo(file);
        second.answers("2");
    }

    @Test
    void aMessageThatCannotBeSentPausesTheQueueAndSaysWhy() throws Exception {
        String chat = server.newChat();
        String file = server.upload(chat, "notes.txt", "hello").get("id").stringValue();
        RunOnStage first = start(chat, "one");
        Map<String, Object> body = message(chat, "two");
        body.put("whenBusy", "queue");
        body.put("attachmentIds", List.of(file));
        server.post(SEND, body);
        queue(chat, "three");
        String path = "/api/assistant/chats/" + chat + "/files/" + file;
        assertThat(server.send("DELETE", path, "").statusCode()).isEqualTo(204);

        try (Events events = follow(chat)) {
            first.answers("1");
            events.rest();
        }
        assertThat(server.get("/api/assistant/chats/" + chat + "/stream").statusCode())
                .isEqualTo(204); // it has tried to start the turn

        assertThat(queue(chat).get("paused").booleanValue()).isTrue();
        assertThat(queue(chat).at("/messages/0/problem").stringValue())
                .contains("is not a file of this chat");
        server.send("DELETE", queuePath(chat) + "/m-two", "");
        server.post(queuePath(chat) + "/resume", Map.of());
        sandbox.next().answers("3");
    }

    @Test
    void deletingAChatRemovesItsQueue() throws Exception {
        String chat = server.newChat();
        start(chat, "one");
        queue(chat, "two");

        server.send("DELETE", "/api/assistant/chats/" + chat, "");
        assertThat(server.get(queuePath(chat)).statusCode()).isEqualTo(404);
        server.post("/api/assistant/chats/" + chat + "/restore", "");

        assertThat(queued(chat)).isEmpty();
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @Test
    void aBusyChatRefusesByDefaultAndAnUnknownChoiceIsAnError() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");

        assertThat(server.post(SEND, message(chat, "two")).statusCode()).isEqualTo(409);
        Map<String, Object> body = message(chat, "two");
        body.put("whenBusy", "reject");
        assertThat(server.post(SEND, body).statusCode()).isEqualTo(409);
        body.put("whenBusy", "later");
        HttpResponse<String> unknown = server.post(SEND, body);

        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).contains("whenBusy");
        first.answers("1");
    }

    @Test
    void anotherTenantSeesNothingOfAQueue() throws Exception {
        String chat = server.newChat();
        RunOnStage first = start(chat, "one");
        queue(chat, "two");
        String stranger = server.keyOf("other");

        assertThat(server.sendAs(stranger, "GET", queuePath(chat)).statusCode()).isEqualTo(404);
        assertThat(server.sendAs(stranger, "DELETE", queuePath(chat) + "/m-two").statusCode())
                .isEqualTo(404);
        assertThat(server.sendAs(stranger, "POST", queuePath(chat) + "/resume").statusCode())
                .isEqualTo(404);
        assertThat(queued(chat)).containsExactly("two");
        first.answers("1");
        sandbox.next().answers("2");
    }

    private String messageOf(String chat, String file) throws Exception {
        return server.getJson("/api/assistant/chats/" + chat + "/files")
                .get("files")
                .valueStream()
                .filter(listed -> listed.get("id").stringValue().equals(file))
                .map(listed -> listed.path("messageId").stringValue(""))
                .findFirst()
                .orElseThrow();
    }
}
