package dev.satchel.server.turn;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.ChatTurn;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.ScriptedTest;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Messages of files without text: the thread shows the files, the model reads their names. */
@Timeout(60)
class FilesOnlyMessageTest extends ScriptedTest {
    private static final String DATA_URL = "data:text/plain;base64,aGVsbG8=";

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", " \n"})
    void aMessageMayBeEmptyWhenItHasAttachments(String text) throws Exception {
        String chat = server.newChat();
        String first = server.upload(chat, "a.txt", "one").get("id").stringValue();
        String second = server.upload(chat, "b.txt", "two").get("id").stringValue();
        Map<String, Object> turn = new HashMap<>();
        turn.put("chatId", chat);
        turn.put("attachmentIds", List.of(first, second));
        turn.put("message", text);

        assertThat(promptOf(server.turn(turn))).isEqualTo("Attached: a.txt, b.txt");

        JsonNode read = server.getJson("/api/assistant/chats/" + chat);
        assertThat(read.at("/messages/0/content")).isEmpty();
        assertThat(read.at("/messages/0/fileAttachments/0/name").stringValue()).isEqualTo("a.txt");
        assertThat(read.get("title").stringValue()).isEqualTo("a.txt, b.txt");
    }

    @Test
    void theNextTurnIsToldTheNamesOfTheFiles() throws Exception {
        String chat = server.newChat();
        String file = server.upload(chat, "a.txt", "one").get("id").stringValue();
        promptOf(
                server.turn(Map.of("message", "", "chatId", chat, "attachmentIds", List.of(file))));

        try (Events _ = server.turn(Map.of("message", "and now?", "chatId", chat))) {
            RunOnStage run = sandbox.next();
            List<ChatTurn> history = requireNonNull(run.dispatch().conversation());
            assertThat(history)
                    .extracting(ChatTurn::content)
                    .containsExactly("Attached: a.txt", "done");
            assertThat(history.getFirst().attachments().getFirst().name()).isEqualTo("a.txt");
            assertThat(history.getFirst().attachments().getFirst().size()).isEqualTo(3);
            assertThat(history.getLast().attachments()).isEmpty();
            run.answers("bye");
        }
    }

    @Test
    void withoutAttachmentsAnEmptyMessageIsRefusedByTheNameOfItsField() throws Exception {
        for (Map<String, ?> turn :
                List.of(
                        Map.of("message", ""),
                        Map.of("message", " ", "attachmentIds", List.of()),
                        Map.of("chatId", server.newChat()))) {
            HttpResponse<String> refused = server.post("/api/assistant/chat/stream", turn);
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body()).contains("message ");
        }
        assertThat(server.post("/agent-server/api/chat", Map.of("message", "")).statusCode())
                .isEqualTo(400);
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @Test
    void uploadsAloneAreAMessageOfTheAgentServer() throws Exception {
        Map<String, Object> turn =
                Map.of("message", "", "context", Map.of("fileIds", List.of(uploaded("a.txt"))));

        try (Events events = events("/agent-server/api/chat", turn)) {
            RunOnStage run = sandbox.next();
            String id = events.next().orElseThrow().data().get("runId").stringValue();
            assertThat(run.dispatch().prompt()).isEqualTo("Attached: a.txt");
            try (Events repeated = events("/agent-server/api/chat", turn)) {
                JsonNode same = repeated.next().orElseThrow().data();
                assertThat(same.get("runId").stringValue()).isEqualTo(id);
                run.answers("done");
                events.rest();
            }
        }
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @Test
    void aFilePartAloneIsAMessageOfTheAiSdk() throws Exception {
        Map<String, Object> part =
                Map.of(
                        "type", "file",
                        "filename", "a.txt",
                        "mediaType", "text/plain",
                        "url", DATA_URL);
        Map<String, Object> message = Map.of("role", "user", "parts", List.of(part));

        Events events =
                events("/api/ai-sdk/chat", Map.of("id", "mine", "messages", List.of(message)));
        assertThat(promptOf(events)).isEqualTo("Attached: a.txt");
    }

    @Test
    void aFilePartAloneIsAMessageOfAgUi() throws Exception {
        Map<String, Object> part =
                Map.of(
                        "type",
                        "document",
                        "source",
                        Map.of("type", "data", "value", "aGVsbG8=", "mimeType", "text/plain"),
                        "metadata",
                        Map.of("filename", "a.txt"));
        Map<String, Object> message = Map.of("id", "m1", "role", "user", "content", List.of(part));

        Events events =
                events(
                        "/api/ag-ui",
                        Map.of("threadId", "t", "runId", "r", "messages", List.of(message)));
        assertThat(promptOf(events)).isEqualTo("Attached: a.txt");
    }

    private String promptOf(Events events) throws Exception {
        try (events) {
            RunOnStage run = sandbox.next();
            run.answers("done");
            while (events.line().isPresent()) {}
            return run.dispatch().prompt();
        }
    }

    private Events events(String path, Object body) throws Exception {
        return server.events(
                server.request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                        .build());
    }

    private String uploaded(String name) throws Exception {
        HttpResponse<String> answer =
                server.send(
                        server.request("/agent-server/api/upload")
                                .header("Content-Type", MultipartBody.CONTENT_TYPE)
                                .POST(new MultipartBody().file(name, "content").publisher())
                                .build());
        return Json.MAPPER.readTree(answer.body()).at("/files/0/fileId").stringValue();
    }
}
