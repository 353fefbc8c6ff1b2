package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.web.CuttableProxy;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** The real {@code useChat} of the AI SDK, in the two versions in use, against a real server. */
@ParameterizedClass
@ValueSource(strings = {"6", "7"})
class UseChatTest {
    /** Not one of our ids: clients like to make their own. */
    private static final String CHAT = "DzW8aPkUkEVMTxGx";

    @Parameter private String version = "";

    private ScriptedSandbox sandbox;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        server = TestServer.start(sandbox.url());
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
    }

    @Test
    void stepsTextAndFilesBecomePartsOfOneMessage() throws Exception {
        try (NodeClient page = page();
                SandboxCalls calls = new SandboxCalls()) {
            page.order(Map.of("do", "send", "text", "make a report"));
            RunOnStage run = sandbox.next();
            assertThat(run.dispatch().prompt()).isEqualTo("make a report");
            run.say("{\"type\":\"delta\",\"text\":\"I will look.\",\"ts\":1}");
            run.say(
                    "{\"type\":\"step\",\"id\":\"s1\",\"name\":\"bash\",\"status\":\"running\",\"args\":{\"command\":\"ls\"},\"ts\":1}");
            run.stepSucceeds("s1", "bash").stepStarts("s2", "bash");
            run.say(
                    "{\"type\":\"step\",\"id\":\"s2\",\"name\":\"bash\",\"status\":\"failed\",\"error\":\"no"
                            + " such file\",\"durationMs\":1,\"ts\":2}");
            calls.handIn(run.dispatch(), new MultipartBody().file("report.csv", "a,b\n1,2\n"));
            run.say("{\"type\":\"delta\",\"text\":\"Here \",\"ts\":1}").answers("Here it is.");

            JsonNode parts = answer(settled(page));
            assertThat(summary(parts))
                    .containsExactly(
                            "step-start",
                            "text:I will look.",
                            "dynamic-tool:output-available",
                            "dynamic-tool:output-error",
                            "text:Here it is.",
                            "file:text/csv");
            assertThat(parts.get(2).at("/input/command").stringValue()).isEqualTo("ls");
            assertThat(parts.get(2).at("/output/ok").booleanValue()).isTrue();
            assertThat(parts.get(3).get("errorText").stringValue()).isEqualTo("no such file");
            assertThat(parts.get(5).at("/providerMetadata/satchel/filename").stringValue())
                    .isEqualTo("report.csv");
            assertThat(server.get(parts.get(5).get("url").stringValue()).body())
                    .isEqualTo("a,b\n1,2\n");
        }
    }

    /** What the agent streams when a model says something first and its provider fails once. */
    @Test
    void textBeforeAToolAppearsOnceAndARetryWithdrawsHalfAnAnswer() throws Exception {
        try (NodeClient page = page()) {
            page.order(Map.of("do", "send", "text", "list the files"));
            RunOnStage run = sandbox.next();
            run.say("{\"type\":\"thinking\",\"text\":\"They want a list.\"}");
            run.say("{\"type\":\"delta\",\"text\":\"Let me look.\"}").stepStarts("s1", "sh");
            run.say(
                    "{\"type\":\"output\",\"id\":\"s1\",\"stream\":\"stdout\",\"text\":\"a.txt\\n\"}");
            page.await(
                    "the output is there",
                    report -> answer(report).path(3).path("preliminary").booleanValue(false));
            run.stepSucceeds("s1", "sh");
            run.say("{\"type\":\"delta\",\"text\":\"\\n\\nHalf an ans\"}");
            run.say(
                    "{\"type\":\"retry\",\"attempt\":1,\"delayMs\":4000,\"code\":\"529\",\"message\":\"busy\"}");
            page.await(
                    "the retry is there",
                    report -> report.at("/data/data/delayMs").intValue(0) == 4000);
            run.say("{\"type\":\"delta\",\"text\":\"\\n\\nOne file.\"}");
            run.say(
                    "{\"type\":\"usage\",\"model\":\"m\",\"inputTokens\":7,\"outputTokens\":8,\"cacheReadTokens\":0,\"cacheWriteTokens\":0}");
            run.say("{\"type\":\"result\",\"message\":\"One file.\",\"stopped\":\"max_rounds\"}")
                    .hangsUp();

            JsonNode settled = settled(page);
            List<String> expected =
                    List.of(
                            "step-start",
                            "reasoning:They want a list.",
                            "text:Let me look.",
                            "dynamic-tool:output-available",
                            "text:One file.");
            assertThat(summary(withoutWithdrawn(answer(settled)))).isEqualTo(expected);
            assertThat(answer(settled).get(3).at("/output/ok").booleanValue()).isTrue();
            JsonNode metadata = settled.at("/messages/1/metadata");
            assertThat(metadata.get("stopped").stringValue()).isEqualTo("max_rounds");
            assertThat(metadata.at("/usage/outputTokens").intValue()).isEqualTo(8);

            try (NodeClient again = page()) {
                JsonNode shown = again.await("it is there", report -> is(report, "ready"));
                assertThat(summary(answer(shown))).isEqualTo(expected);
                assertThat(shown.at("/messages/1/metadata")).isEqualTo(metadata);
            }
        }
    }

    @Test
    void aPageThatComesLateResumesFromTheFirstPart() throws Exception {
        try (NodeClient first = page()) {
            first.order(Map.of("do", "send", "text", "hello"));
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "bash");
            first.await("the step is there", report -> answer(report).size() == 2);

            try (NodeClient second = page("resume")) {
                second.await("the step is there", report -> answer(report).size() == 2);
                run.stepSucceeds("s1", "bash").answers("done");

                JsonNode told = settled(first).get("messages");
                assertThat(settled(second).get("messages")).isEqualTo(told);
                assertThat(told).hasSize(2);
            }
        }
    }

    @Test
    void aCutConnectionLosesAndDoublesNothing() throws Exception {
        try (CuttableProxy proxy = new CuttableProxy(server.url(""));
                NodeClient page =
                        NodeClient.start(
                                "use-chat.mjs",
                                version,
                                proxy.url().toString(),
                                TestServer.KEY,
                                CHAT)) {
            page.order(Map.of("do", "send", "text", "hello"));
            RunOnStage run = sandbox.next();
            run.say("{\"type\":\"delta\",\"text\":\"One \",\"ts\":1}").stepStarts("s1", "bash");
            page.await("the step is there", report -> answer(report).size() == 3);

            proxy.cut();
            page.await("the cut is felt", report -> report.has("failed"));
            run.stepSucceeds("s1", "bash").say("{\"type\":\"delta\",\"text\":\"two\",\"ts\":1}");
            proxy.mend();
            page.order(Map.of("do", "resume"));
            page.await("all is there", report -> answer(report).size() == 4);
            run.answers("two three");

            JsonNode settled = settled(page);
            assertThat(settled.get("messages")).hasSize(2);
            assertThat(summary(answer(settled)))
                    .containsExactly(
                            "step-start",
                            "text:One ",
                            "dynamic-tool:output-available",
                            "text:two three");
        }
    }

    @Test
    void leavingThePageDoesNotStopTheRunButStoppingDoes() throws Exception {
        try (NodeClient page = page()) {
            page.order(Map.of("do", "send", "text", "hello"));
            RunOnStage run = sandbox.next();
            run.stepStarts("s1", "bash");
            page.await("the step is there", report -> answer(report).size() == 2);
            page.order(Map.of("do", "leave"));
            page.await("it has left", report -> report.path("isAbort").booleanValue(false));
            run.stepSucceeds("s1", "bash").stepStarts("s2", "bash");

            page.order(Map.of("do", "resume"));
            page.await("it is back", report -> answer(report).size() == 3);
            page.order(Map.of("do", "stop"));

            JsonNode parts = answer(settled(page));
            assertThat(summary(parts))
                    .containsExactly(
                            "step-start",
                            "dynamic-tool:output-available",
                            "dynamic-tool:output-error");
            assertThat(run.wasHungUpOn()).isTrue();
        }
    }

    @Test
    void aFailureIsTheHooksError() throws Exception {
        try (NodeClient page = page()) {
            page.order(Map.of("do", "send", "text", "hello"));
            sandbox.next()
                    .say(
                            "{\"type\":\"error\",\"code\":\"model_unavailable\",\"message\":\"the"
                                    + " model is away\",\"ts\":1}")
                    .hangsUp();

            JsonNode failure = page.await("it failed", report -> report.has("failed"));
            assertThat(failure.get("failed").stringValue()).contains("the model is away");
            page.await("the hook says so", report -> is(report, "error"));
        }
    }

    @Test
    void nothingRunningIsNothingToResume() throws Exception {
        String stream = "/api/ai-sdk/chat/" + CHAT + "/stream";
        assertThat(server.get(stream).statusCode()).isEqualTo(204);
        try (NodeClient page = page("resume")) {
            page.order(Map.of("do", "send", "text", "hello"));
            sandbox.next().answers("hi");
            settled(page);

            assertThat(server.get(stream).statusCode()).isEqualTo(204);
            page.order(Map.of("do", "resume"));
            page.order(Map.of("do", "show"));
            JsonNode shown = page.await("it shows", report -> report.has("shown"));
            assertThat(shown.get("messages")).hasSize(2);
        }
    }

    @Test
    void aFileOfTheMessageIsAFileOfTheChat() throws Exception {
        String url =
                "data:text/plain;base64,"
                        + Base64.getEncoder()
                                .encodeToString("notes".getBytes(StandardCharsets.UTF_8));
        Map<String, String> file =
                Map.of(
                        "type",
                        "file",
                        "filename",
                        "notes.txt",
                        "mediaType",
                        "text/plain",
                        "url",
                        url);
        try (NodeClient page = page()) {
            page.order(Map.of("do", "send", "text", "read this", "files", List.of(file)));
            sandbox.next().answers("read");
            JsonNode settled = settled(page);

            String chat = settled.at("/messages/1/metadata/chatId").stringValue();
            JsonNode files = server.getJson("/api/assistant/chats/" + chat + "/files").get("files");
            assertThat(files).hasSize(1);
            assertThat(files.get(0).get("name").stringValue()).isEqualTo("notes.txt");
            assertThat(files.get(0).get("messageId").stringValue())
                    .isEqualTo(settled.at("/messages/0/id").stringValue());
        }
    }

    @Test
    void anAnswerMayBeAskedForAgain() throws Exception {
        try (NodeClient page = page()) {
            page.order(Map.of("do", "send", "text", "hello"));
            sandbox.next().answers("hi");
            settled(page);
            page.order(Map.of("do", "regenerate"));
            RunOnStage again = sandbox.next();
            assertThat(again.dispatch().prompt()).isEqualTo("hello");
            again.answers("hi there");

            page.await(
                    "the new answer is there",
                    report ->
                            is(report, "ready")
                                    && summary(answer(report)).contains("text:hi there"));
        }
    }

    @Test
    void aReloadedPageBeginsWithWhatWasSaid() throws Exception {
        try (NodeClient first = page()) {
            first.order(Map.of("do", "send", "text", "hello"));
            sandbox.next().stepStarts("s1", "bash").stepSucceeds("s1", "bash").answers("hi");
            JsonNode told = settled(first);

            try (NodeClient again = page()) {
                JsonNode shown = again.await("it is there", report -> is(report, "ready"));
                assertThat(shown.get("messages")).hasSize(2);
                assertThat(summary(answer(shown))).isEqualTo(summary(answer(told)));
                assertThat(shown.at("/messages/1/id")).isEqualTo(told.at("/messages/1/id"));
            }
        }
    }

    @Test
    void theStreamNamesItsVersionAndARepeatJoinsIt() throws Exception {
        String body =
                Json.MAPPER.writeValueAsString(
                        Map.of(
                                "id",
                                CHAT,
                                "messages",
                                List.of(
                                        Map.of(
                                                "id",
                                                "m1",
                                                "role",
                                                "user",
                                                "parts",
                                                List.of(
                                                        Map.of(
                                                                "type", "text", "text",
                                                                "hello"))))));
        List<String> bodies = new ArrayList<>();
        Thread answering =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        sandbox.next().answers("hi");
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        for (int i = 0; i < 2; i++) {
            HttpResponse<String> response =
                    server.send(
                            server.request("/api/ai-sdk/chat")
                                    .header("Idempotency-Key", "once")
                                    .POST(BodyPublishers.ofString(body))
                                    .build());
            assertThat(response.headers().firstValue("x-vercel-ai-ui-message-stream"))
                    .hasValue("v1");
            bodies.add(response.body());
        }
        answering.join();

        assertThat(bodies.get(0)).endsWith("data: [DONE]\n\n").isEqualTo(bodies.get(1));
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    private NodeClient page(String... more) throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of(version, server.url("").toString(), TestServer.KEY, CHAT));
        arguments.addAll(List.of(more));
        return NodeClient.start("use-chat.mjs", arguments.toArray(String[]::new));
    }

    /** The report after the end of a stream that shows both messages at rest. */
    private static JsonNode settled(NodeClient page) throws Exception {
        page.await("the stream has ended", report -> report.has("finished"));
        page.order(Map.of("do", "show"));
        return page.await("it shows", report -> report.has("shown"));
    }

    private static boolean is(JsonNode report, String status) {
        return report.path("status").stringValue("").equals(status);
    }

    /** The parts of the last message, if that is an answer. */
    private static JsonNode answer(JsonNode report) {
        JsonNode messages = report.path("messages");
        JsonNode last = messages.isEmpty() ? messages : messages.get(messages.size() - 1);
        return last.path("role").stringValue("").equals("assistant")
                ? last.get("parts")
                : Json.MAPPER.createArrayNode();
    }

    /** As docs/guides/your-own-page.md shows it. */
    private static JsonNode withoutWithdrawn(JsonNode parts) {
        List<String> gone =
                parts.valueStream()
                        .filter(part -> part.get("type").stringValue().equals("data-withdrawn"))
                        .flatMap(part -> part.at("/data/ids").valueStream())
                        .map(JsonNode::stringValue)
                        .toList();
        ArrayNode kept = Json.MAPPER.createArrayNode();
        parts.valueStream()
                .filter(part -> !part.get("type").stringValue().equals("data-withdrawn"))
                .filter(
                        part ->
                                !gone.contains(
                                        part.at("/providerMetadata/satchel/id").stringValue("")))
                .forEach(kept::add);
        return kept;
    }

    private static List<String> summary(JsonNode parts) {
        return parts.valueStream()
                .map(
                        part ->
                                switch (part.get("type").stringValue()) {
                                    case "text", "reasoning" ->
                                            part.get("type").stringValue()
                                                    + ":"
                                                    + part.get("text").stringValue();
                                    case "file" -> "file:" + part.get("mediaType").stringValue();
                                    case "dynamic-tool" ->
                                            "dynamic-tool:" + part.get("state").stringValue();
                                    default -> part.get("type").stringValue();
                                })
                .toList();
    }
}
