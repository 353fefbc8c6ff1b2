package dev.satchel.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Messages of sessions in the protocol of their clients. */
class MessagesTest {
    private SharedDisk disk;
    private String session;

    @BeforeEach
    void start() throws Exception {
        disk = SharedDisk.start();
        session = disk.create();
    }

    @AfterEach
    void stop() {
        disk.close();
    }

    @Test
    void aTurnIsStreamedInNamedEventsWithDoneAtTheEnd() throws Exception {
        try (TestServer.Events events = disk.send(session, "hello")) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            run.stepStarts("s1", "bash").stepSucceeds("s1", "bash").answers("Hi there");

            List<String> lines = lines(events);
            assertThat(lines)
                    .filteredOn(line -> line.startsWith("event: "))
                    .containsExactly(
                            "event: session_start",
                            "event: tool_use",
                            "event: message",
                            "event: tool_result",
                            "event: message",
                            "event: text_delta",
                            "event: message",
                            "event: turn_complete",
                            "event: message",
                            "event: done");
            assertThat(lines)
                    .allMatch(
                            line ->
                                    line.isEmpty()
                                            || line.startsWith("event: ")
                                            || line.startsWith("data: "));
            List<String> messages = messages(lines);
            assertThat(messages.get(0)).contains("\"tool_use\"").contains("\"bash\"");
            assertThat(messages.get(1)).contains("\"tool_result\"");
            assertThat(messages.get(2)).contains("{\"type\":\"text\",\"text\":\"Hi there\"}");
            assertThat(lines)
                    .contains(
                            "data: {\"id\":\"s1\",\"name\":\"bash\",\"input\":{}}",
                            "data: {\"delta\":\"Hi there\"}",
                            "data: {\"result\":\"Hi there\"}");
            assertThat(lines).contains("data: {\"sessionId\":\"" + session + "\"}");
        }
    }

    @Test
    void textBeforeAToolIsAMessageOfItsOwnOnce() throws Exception {
        try (TestServer.Events events = disk.send(session, "hello")) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            run.say("{\"type\":\"thinking\",\"text\":\"Hm.\"}");
            run.say("{\"type\":\"delta\",\"text\":\"Let me look.\"}");
            run.stepStarts("s1", "bash").stepSucceeds("s1", "bash");
            run.say("{\"type\":\"delta\",\"text\":\"\\n\\nHalf\"}");
            run.say(
                    "{\"type\":\"retry\",\"attempt\":1,\"delayMs\":4000,\"code\":\"529\",\"message\":\"busy\"}");
            run.say("{\"type\":\"delta\",\"text\":\"\\n\\nOne file.\"}").answers("One file.");

            List<String> lines = lines(events);
            List<String> data = messages(lines);
            assertThat(data.get(0)).contains("{\"type\":\"thinking\",\"thinking\":\"Hm.\"}");
            assertThat(data.get(1)).contains("{\"type\":\"text\",\"text\":\"Let me look.\"}");
            assertThat(data.get(2)).contains("\"tool_use\"");
            assertThat(data.get(4)).contains("\"api_retry\"").contains("\"retry_delay_ms\":4000");
            assertThat(data.get(5)).contains("{\"type\":\"text\",\"text\":\"One file.\"}");
            assertThat(data).filteredOn(line -> line.contains("Let me look.")).hasSize(1);
            assertThat(lines).filteredOn(line -> line.contains("\"delta\"")).hasSize(3);
            assertThat(lines).noneMatch(line -> line.contains("Half"));
        }
    }

    @Test
    void aDeadSandboxIsAnErrorFollowedByDone() throws Exception {
        try (TestServer.Events events = disk.send(session, "hello")) {
            disk.sandbox().next().hangsUp();

            assertThat(lines(events))
                    .filteredOn(line -> line.startsWith("event: "))
                    .containsExactly("event: session_start", "event: error", "event: done");
        }
        try (TestServer.Events events = disk.send(session, "again")) {
            disk.sandbox().next().answers("back");
            assertThat(lines(events)).anyMatch(line -> line.contains("back"));
        }
    }

    /** The data of the whole messages. */
    private static List<String> messages(List<String> lines) {
        return IntStream.range(1, lines.size())
                .filter(i -> lines.get(i - 1).equals("event: message"))
                .mapToObj(lines::get)
                .toList();
    }

    @Test
    void onlyTextAndBlocksAreAccepted() throws Exception {
        for (Object content :
                List.of(
                        "hello",
                        List.of(Map.of("type", "text", "text", "hello")),
                        List.of(
                                Map.of("type", "text", "text", "hel"),
                                Map.of("type", "text", "text", "lo")))) {
            try (TestServer.Events events = disk.send(session, content)) {
                ScriptedSandbox.RunOnStage run = disk.sandbox().next();
                assertThat(run.dispatch().prompt().replace("\n\n", "")).isEqualTo("hello");
                run.answers("ok");
                lines(events);
            }
        }
        List<Object> refused = new ArrayList<>(List.of(5, "", List.of(), true));
        refused.add(null);
        for (Object content : refused) {
            Map<String, Object> body = new HashMap<>();
            body.put("content", content);
            HttpResponse<String> answer =
                    disk.server().post("/api/sessions/" + session + "/messages", body);
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("content");
        }
    }

    @Test
    void aSecondMessageMeanwhileIsRefusedWithoutEffect() throws Exception {
        try (TestServer.Events events = disk.send(session, "first")) {
            ScriptedSandbox.RunOnStage run = disk.sandbox().next();
            HttpResponse<String> second =
                    disk.server()
                            .post(
                                    "/api/sessions/" + session + "/messages",
                                    Map.of("content", "second"));
            assertThat(second.statusCode()).isEqualTo(409);
            run.answers("only one");
            assertThat(lines(events)).filteredOn("event: done"::equals).hasSize(1);
        }
        assertThat(messages("")).hasSize(2);
    }

    @Test
    void aDisconnectedClientLosesNoAnswer() throws Exception {
        TestServer.Events events = disk.send(session, "hello");
        ScriptedSandbox.RunOnStage run = disk.sandbox().next();
        run.stepStarts("s1", "bash");
        assertThat(events.line()).isPresent();
        events.close();
        disk.write(session, "a.txt", "made");
        run.answers("the answer");
        // the rest of the run
        assertThat(disk.server().get("/api/assistant/chats/" + session + "/stream").statusCode())
                .isIn(200, 204);

        disk.turn(session, "b.txt", "the next turn");

        assertThat(messages("").get(1).get("content").stringValue()).contains("the answer");
        assertThat(
                        disk.server()
                                .getJson("/api/sessions/" + session + "/snapshots")
                                .get("snapshots")
                                .size())
                .isEqualTo(2);
    }

    @Test
    void messagesAreNumberedAndListedInPages() throws Exception {
        disk.turn(session, "a", "1");
        disk.turn(session, "b", "2");

        assertThat(messages(""))
                .extracting(m -> m.get("sequence").intValue())
                .containsExactly(1, 2, 3, 4);
        assertThat(messages("?after=1&limit=2"))
                .extracting(m -> m.get("sequence").intValue())
                .containsExactly(2, 3);
        JsonNode first = messages("?limit=1").getFirst();
        assertThat(first.get("role").stringValue()).isEqualTo("user");
        assertThat(Json.MAPPER.readTree(first.get("content").stringValue()).get("content"))
                .isEqualTo(Json.MAPPER.readTree("\"write a\""));
        assertThat(disk.server().get("/api/sessions/" + session + "/messages?limit=0").statusCode())
                .isEqualTo(400);
    }

    private List<JsonNode> messages(String query) throws Exception {
        return disk.server()
                .getJson("/api/sessions/" + session + "/messages" + query)
                .get("messages")
                .valueStream()
                .toList();
    }

    private static List<String> lines(TestServer.Events events) throws Exception {
        List<String> lines = new ArrayList<>();
        for (Optional<String> line = events.line(); line.isPresent(); line = events.line()) {
            lines.add(line.get());
        }
        return lines;
    }
}
