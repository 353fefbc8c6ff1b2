package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What {@code HttpAgent} shows of turns and their files. */
class AgUiClientTest extends AgUiFixture {
    @Test
    void stepsAreToolCallsAndTheAnswerIsAMessage() throws Exception {
        try (NodeClient agent = agent();
                SandboxCalls calls = new SandboxCalls()) {
            agent.order(Map.of("do", "run", "id", "m1", "content", "make a report"));
            RunOnStage run = sandbox.next();
            assertThat(run.dispatch().prompt()).isEqualTo("make a report");
            run.stepStarts("s1", "bash").stepSucceeds("s1", "bash").stepStarts("s2", "grep");
            run.say(
                    "{\"type\":\"step\",\"id\":\"s2\",\"name\":\"grep\",\"status\":\"failed\",\"error\":\"no"
                            + " match\",\"durationMs\":1,\"ts\":2}");
            calls.handIn(run.dispatch(), new MultipartBody().file("report.csv", "a,b\n"));
            run.say("{\"type\":\"delta\",\"text\":\"Here \",\"ts\":1}").answers("Here it is.");

            JsonNode messages = settled(agent);
            assertThat(summary(messages))
                    .containsExactly(
                            "user:make a report",
                            "assistant[bash,grep]",
                            "tool:{\"ok\":true}",
                            "tool:{\"error\":\"no match\"}",
                            "assistant:Here it is.");
            JsonNode file = custom(agent, "file");
            assertThat(file.get("name").stringValue()).isEqualTo("report.csv");
            assertThat(server.get(file.get("url").stringValue()).body()).isEqualTo("a,b\n");
            assertThat(outcome(agent)).isEqualTo("success");
            assertThat(custom(agent, "satchel").get("chatId").stringValue()).isEqualTo(thread);
        }
    }

    /** What the agent streams when a model says something first and its provider fails once. */
    @Test
    void textBeforeAToolAppearsOnceAndARetryWithdrawsHalfAnAnswer() throws Exception {
        try (NodeClient agent = agent();
                NodeClient later = agent()) {
            agent.order(Map.of("do", "run", "id", "m1", "content", "list the files"));
            RunOnStage run = sandbox.next();
            run.say("{\"type\":\"thinking\",\"text\":\"They want a list.\"}");
            run.say("{\"type\":\"delta\",\"text\":\"Let me look.\"}").stepStarts("s1", "sh");
            run.say(
                    "{\"type\":\"output\",\"id\":\"s1\",\"stream\":\"stdout\",\"text\":\"a.txt\\n\"}");
            run.stepSucceeds("s1", "sh");
            run.say("{\"type\":\"delta\",\"text\":\"\\n\\nHalf an ans\"}");
            run.say(
                    "{\"type\":\"retry\",\"attempt\":1,\"delayMs\":4000,\"code\":\"529\",\"message\":\"busy\"}");
            run.say("{\"type\":\"delta\",\"text\":\"\\n\\nOne file.\"}");
            run.say(
                            "{\"type\":\"result\",\"message\":\"One file.\",\"notHandedOver\":[{\"path\":\"big.bin\",\"size\":9,\"reason\":\"too"
                                    + " large\"}]}")
                    .hangsUp();

            List<String> expected =
                    List.of(
                            "user:list the files",
                            "reasoning:They want a list.",
                            "assistant:Let me look.",
                            "assistant[sh]",
                            "tool:{\"ok\":true}",
                            "assistant:One file.");
            assertThat(summary(settled(agent))).isEqualTo(expected);
            assertThat(custom(agent, "output").get("text").stringValue()).isEqualTo("a.txt\n");
            assertThat(custom(agent, "retry").get("delayMs").intValue()).isEqualTo(4000);

            later.order(Map.of("do", "connect"));
            assertThat(summary(settled(later))).isEqualTo(expected);
            assertThat(custom(later, "notHandedOver").get("path").stringValue())
                    .isEqualTo("big.bin");
        }
    }

    @Test
    void aThreadGoesOn() throws Exception {
        try (NodeClient agent = agent()) {
            agent.order(Map.of("do", "run", "id", "m1", "content", "one"));
            sandbox.next().answers("first");
            settled(agent);
            agent.order(Map.of("do", "run", "id", "m2", "content", "two"));
            RunOnStage second = sandbox.next();
            assertThat(second.dispatch().prompt()).isEqualTo("two");
            second.answers("second");

            assertThat(summary(settled(agent)))
                    .containsExactly("user:one", "assistant:first", "user:two", "assistant:second");
        }
    }

    @Test
    void hangingUpStopsTheRun() throws Exception {
        try (NodeClient agent = agent()) {
            agent.order(Map.of("do", "run", "id", "m1", "content", "hello"));
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "bash");
            agent.await("the step is there", report -> event(report, "TOOL_CALL_END"));
            agent.order(Map.of("do", "abort"));

            assertThat(run.wasHungUpOn()).isTrue();
        }
    }

    @Test
    void aStopFromElsewhereIsACancelledOutcome() throws Exception {
        try (NodeClient agent = agent()) {
            agent.order(Map.of("do", "run", "id", "m1", "content", "hello"));
            sandbox.next().stepStarts("s1", "bash");
            agent.await("the step is there", report -> event(report, "TOOL_CALL_END"));
            server.post("/api/ag-ui/" + thread + "/stop", Map.of());
            settled(agent);

            assertThat(outcome(agent)).isEqualTo("cancelled");
        }
    }

    @Test
    void aFailureIsARunError() throws Exception {
        try (NodeClient agent = agent()) {
            agent.order(Map.of("do", "run", "id", "m1", "content", "hello"));
            sandbox.next()
                    .say(
                            "{\"type\":\"error\",\"code\":\"model_unavailable\",\"message\":\"the"
                                    + " model is away\",\"ts\":1}")
                    .hangsUp();

            JsonNode error =
                    agent.await("it failed", report -> event(report, "RUN_ERROR")).get("event");
            assertThat(error.get("message").stringValue()).isEqualTo("the model is away");
        }
    }

    @Test
    void whoeverConnectsLaterGetsTheThreadAndTheLiveRun() throws Exception {
        try (NodeClient first = agent();
                NodeClient second = agent()) {
            first.order(Map.of("do", "run", "id", "m1", "content", "one"));
            sandbox.next().stepStarts("s1", "bash").stepSucceeds("s1", "bash").answers("first");
            settled(first);
            first.order(Map.of("do", "run", "id", "m2", "content", "two"));
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "bash");
            first.await("the step is there", report -> event(report, "TOOL_CALL_END"));

            second.order(Map.of("do", "connect"));
            second.await("the step is there", report -> event(report, "TOOL_CALL_END"));
            run.stepSucceeds("s1", "bash").answers("second");

            JsonNode told = settled(first);
            assertThat(summary(settled(second))).isEqualTo(summary(told));
            assertThat(summary(told)).hasSize(8);

            second.order(Map.of("do", "connect"));
            assertThat(summary(settled(second))).isEqualTo(summary(told));
        }
    }

    @Test
    void aThreadThatNeverWasIsEmpty() throws Exception {
        try (NodeClient agent = agent()) {
            agent.order(Map.of("do", "connect"));
            assertThat(settled(agent)).isEmpty();
            assertThat(outcome(agent)).isEqualTo("success");
        }
    }

    @Test
    void aDocumentOfTheMessageIsAFileOfTheChat() throws Exception {
        String notes = Base64.getEncoder().encodeToString("notes".getBytes(StandardCharsets.UTF_8));
        List<Map<String, Object>> content =
                List.of(
                        Map.of("type", "text", "text", "read this"),
                        Map.of(
                                "type",
                                "document",
                                "source",
                                Map.of("type", "data", "value", notes, "mimeType", "text/plain"),
                                "metadata",
                                Map.of("filename", "notes.txt")));
        try (NodeClient agent = agent()) {
            agent.order(Map.of("do", "run", "id", "m1", "content", content));
            RunOnStage run = sandbox.next();
            assertThat(run.dispatch().prompt()).isEqualTo("read this");
            run.answers("read");
            settled(agent);

            JsonNode files =
                    server.getJson("/api/assistant/chats/" + thread + "/files").get("files");
            assertThat(files).hasSize(1);
            assertThat(files.get(0).get("name").stringValue()).isEqualTo("notes.txt");
        }
    }

    /** The part that clients before version 1.0 send. */
    @Test
    void aBinaryPartIsAFileOfTheChat() throws Exception {
        String notes = Base64.getEncoder().encodeToString("notes".getBytes(StandardCharsets.UTF_8));
        Map<String, String> binary =
                Map.of(
                        "type",
                        "binary",
                        "mimeType",
                        "text/plain",
                        "filename",
                        "notes.txt",
                        "data",
                        notes);
        send("m1", binary, "read");
        JsonNode file = onlyFile();
        assertThat(file.get("name").stringValue()).isEqualTo("notes.txt");

        Map<String, String> again = Map.of("type", "binary", "id", file.get("id").stringValue());
        send("m2", again, "read again");
        assertThat(onlyFile().get("id")).isEqualTo(file.get("id"));
    }

    /** The client of version 1.0 does not send such a part. */
    private void send(String id, Map<String, String> part, String answer) throws Exception {
        Map<String, Object> message =
                Map.of("id", id, "role", "user", "content", List.of(text("read this"), part));
        Map<String, Object> body =
                Map.of("threadId", thread, "runId", "r-" + id, "messages", List.of(message));
        try (TestServer.Events events =
                server.events(
                        server.request("/api/ag-ui")
                                .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                                .build())) {
            assertThat(events.status()).isEqualTo(200);
            sandbox.next().answers(answer);
            String last = "";
            for (Optional<TestServer.Events.Event> event = events.next();
                    event.isPresent();
                    event = events.next()) {
                last = event.get().type();
            }
            assertThat(last).isEqualTo("RUN_FINISHED");
        }
    }

    private static Map<String, String> text(String text) {
        return Map.of("type", "text", "text", text);
    }

    private JsonNode onlyFile() throws Exception {
        JsonNode files = server.getJson("/api/assistant/chats/" + thread + "/files").get("files");
        assertThat(files).hasSize(1);
        return files.get(0);
    }
}
