package dev.satchel.server.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import dev.satchel.server.testing.TestServer.Events.Event;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The whole system as `./satchel serve` starts it: server, its own runner, real sandboxes, the
 * offline agent.
 */
class WholeSystemTest {
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        Configuration usual =
                TestServer.configuration(Files.createTempDirectory("satchel-test-"), null, null);
        server =
                TestServer.start(
                        TestConfiguration.withSandbox(usual, TestConfiguration.embedded()),
                        Clock.systemUTC());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aTurnReadsUploadedFilesAndWritesFilesBack() throws Exception {
        String chat = server.newChat();
        JsonNode file = server.upload(chat, "numbers.txt", "3\n1\n2\n");

        List<Event> events =
                turn(
                        chat,
                        "/sh mkdir -p assets && sort numbers.txt > assets/sorted.txt",
                        List.of(file.get("id").stringValue()));

        JsonNode made = resultOf(events).at("/files/0");
        assertThat(made.get("name").stringValue()).isEqualTo("sorted.txt");
        HttpResponse<String> download =
                server.get(
                        "/api/assistant/chats/" + chat + "/files/" + made.get("id").stringValue());
        assertThat(download.body()).isEqualTo("1\n2\n3\n");
    }

    @Test
    void theNextTurnHasTheSameWorkspace() throws Exception {
        String chat = server.newChat();
        turn(chat, "/write notes/plan.md\nstep one", List.of());

        List<Event> events = turn(chat, "/view notes/plan.md", List.of());

        assertThat(resultOf(events).get("message").stringValue()).contains("step one");
    }

    @Test
    void theNextTurnUndoesNoEditOfAnAttachedFile() throws Exception {
        String chat = server.newChat();
        JsonNode file = server.upload(chat, "main.py", "old");
        server.upload(chat, "gone.txt", "gone");
        server.upload(chat, "assets", "a file of this name");
        turn(
                chat,
                "/sh echo edited > main.py && rm gone.txt && cat assets-1",
                List.of(file.get("id").stringValue()));

        String message =
                resultOf(turn(chat, "/sh cat main.py && ls", List.of()))
                        .get("message")
                        .stringValue();

        assertThat(message).contains("edited").contains("assets-1");
        assertThat(message).doesNotContain("gone.txt").doesNotContain("main-1.py");
    }

    @Test
    void stoppingAConversationEndsItsCommandsAndTheNextTurnWorks() throws Exception {
        String chat = server.newChat();
        try (Events events = server.turn(Map.of("message", "/sleep 600", "chatId", chat))) {
            Optional<Event> event = events.next();
            while (event.isPresent() && !event.get().type().equals("step")) {
                event = events.next();
            }
            server.post("/api/assistant/chats/" + chat + "/cancel", Map.of());
            assertThat(events.rest().getLast().data().get("status").stringValue())
                    .isEqualTo("cancelled");
        }
        List<Event> next = turn(chat, "/sh echo works", List.of());
        assertThat(resultOf(next).get("message").stringValue()).contains("works");
    }

    private List<Event> turn(String chat, String message, List<String> attachments)
            throws Exception {
        try (Events events =
                server.turn(
                        Map.of("message", message, "chatId", chat, "attachmentIds", attachments))) {
            return events.rest();
        }
    }

    private static JsonNode resultOf(List<Event> events) {
        Event result = events.get(events.size() - 2);
        assertThat(result.type())
                .as(Json.MAPPER.writeValueAsString(result.data()))
                .isEqualTo("result");
        return result.data();
    }
}
