package dev.satchel.server.turn;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ReplayTest {
    @Test
    void aTurnReceivesTheNewestTwentyMessagesOldestFirstWithoutItsOwn() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(sandbox.url())) {
            String chatId = server.newChat();
            for (int turn = 1; turn <= 12; turn++) {
                answer(sandbox, server, chatId, "question " + turn, "answer " + turn);
            }
            try (Events _ = server.turn(Map.of("message", "the last", "chatId", chatId))) {
                RunOnStage run = sandbox.next();
                List<ChatTurn> history = requireNonNull(run.dispatch().conversation());

                assertThat(history).hasSize(20);
                assertThat(history.getFirst().content()).isEqualTo("question 3");
                assertThat(history.getLast().content()).isEqualTo("answer 12");
                assertThat(history).extracting(ChatTurn::role).startsWith("user", "assistant");
                assertThat(history).extracting(ChatTurn::ts).isSorted();
                assertThat(run.dispatch().prompt()).isEqualTo("the last");
                run.answers("bye");
            }
        }
    }

    @Test
    void aTurnKnowsTheStepsOfTheAnswersBefore() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(sandbox.url())) {
            String chatId = server.newChat();
            try (Events events = server.turn(Map.of("message", "work", "chatId", chatId))) {
                RunOnStage run = sandbox.next();
                run.say(
                        "{\"type\":\"step\",\"id\":\"s1\",\"name\":\"sh\",\"status\":\"running\","
                                + "\"args\":{\"command\":\"make all\"},\"ts\":1}");
                run.say(
                        "{\"type\":\"step\",\"id\":\"s1\",\"name\":\"sh\",\"status\":\"failed\","
                                + "\"error\":\"no\\nrule\",\"ts\":2}");
                run.answers("done");
                events.rest();
            }
            try (Events _ = server.turn(Map.of("message", "and now?", "chatId", chatId))) {
                RunOnStage run = sandbox.next();
                List<ChatTurn> history = requireNonNull(run.dispatch().conversation());
                assertThat(history.getLast().steps())
                        .containsExactly("sh {\"command\":\"make all\"} failed: no rule");
                assertThat(history.getLast().content()).isEqualTo("done");
                run.answers("bye");
            }
        }
    }

    @Test
    void anEmptyAnswerIsReplayedAsEmptyAndAStoppedTurnAsStopped() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(sandbox.url())) {
            String chatId = server.newChat();
            answer(sandbox, server, chatId, "say nothing", "");
            try (Events events = server.turn(Map.of("message", "stop", "chatId", chatId))) {
                RunOnStage stopped = sandbox.next();
                server.post("/api/assistant/chats/" + chatId + "/cancel", Map.of());
                assertThat(stopped.wasHungUpOn()).isTrue();
                events.rest();
            }
            try (Events _ = server.turn(Map.of("message", "go on", "chatId", chatId))) {
                RunOnStage run = sandbox.next();
                assertThat(requireNonNull(run.dispatch().conversation()))
                        .extracting(ChatTurn::content)
                        .containsExactly("say nothing", "", "stop", "(stopped)");
                run.answers("bye");
            }
        }
    }

    @Test
    void aThreadIsReadInPagesFromItsNewestEnd() throws Exception {
        try (ScriptedSandbox sandbox = new ScriptedSandbox();
                TestServer server = TestServer.start(sandbox.url())) {
            String chatId = server.newChat();
            for (int turn = 1; turn <= 3; turn++) {
                answer(sandbox, server, chatId, "question " + turn, "answer " + turn);
            }
            String path = "/api/assistant/chats/" + chatId + "?limit=4";
            JsonNode newest = server.getJson(path);
            JsonNode oldest =
                    server.getJson(path + "&cursor=" + newest.get("nextCursor").stringValue());

            assertThat(newest.get("messages").size()).isEqualTo(4);
            assertThat(newest.at("/messages/3/content/0/text").stringValue()).isEqualTo("answer 3");
            assertThat(oldest.at("/messages/0/content/0/text").stringValue())
                    .isEqualTo("question 1");
            assertThat(oldest.get("messages").size()).isEqualTo(2);
            assertThat(oldest.get("nextCursor").isNull()).isTrue();
        }
    }

    private static void answer(
            ScriptedSandbox sandbox,
            TestServer server,
            String chatId,
            String question,
            String answer)
            throws Exception {
        try (Events events = server.turn(Map.of("message", question, "chatId", chatId))) {
            sandbox.next().answers(answer);
            events.rest();
        }
    }
}
