package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What {@code useChat} shows of turns and their files. */
@ParameterizedClass
@ValueSource(strings = {"5", "6", "7"})
class UseChatTest extends UseChatFixture {
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

            JsonNode settled = settled(page);
            JsonNode parts = answer(settled);
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
            String url = parts.get(5).get("url").stringValue();
            assertThat(url).startsWith(server.url("/api/").toString());
            assertThat(server.get(URI.create(url).getPath()).body()).isEqualTo("a,b\n1,2\n");
            JsonNode file = settled.at("/messages/1/metadata/files/0");
            assertThat(file.get("filename").stringValue()).isEqualTo("report.csv");
            assertThat(file.get("url").stringValue()).isEqualTo(url);
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
            assertThat(again.dispatch().conversation()).isEmpty();
            again.answers("hi there");

            page.await(
                    "the new answer is there",
                    report ->
                            is(report, "ready")
                                    && summary(answer(report)).contains("text:hi there"));
        }
    }

    @Test
    void aMessageMayBeEditedAndItsNewVersionAnsweredAgain() throws Exception {
        try (NodeClient page = page()) {
            page.order(Map.of("do", "send", "text", "first"));
            sandbox.next().answers("one");
            settled(page);
            page.order(Map.of("do", "send", "text", "secnod"));
            sandbox.next().answers("a bad answer");
            JsonNode thread = settled(page);
            String id = thread.at("/messages/2/id").stringValue();

            page.order(Map.of("do", "send", "text", "second", "messageId", id));
            RunOnStage edited = sandbox.next();
            assertThat(edited.dispatch().prompt()).isEqualTo("second");
            assertThat(edited.dispatch().conversation())
                    .extracting("content")
                    .containsExactly("first", "one");
            edited.answers("two");
            page.await(
                    "the answer to the edited message is there",
                    report -> is(report, "ready") && summary(answer(report)).contains("text:two"));
            page.order(Map.of("do", "regenerate"));
            RunOnStage again = sandbox.next();
            assertThat(again.dispatch().prompt()).isEqualTo("second");
            again.answers("two, again");
            page.await(
                    "the new answer is there",
                    report ->
                            is(report, "ready")
                                    && summary(answer(report)).contains("text:two, again"));
            String chat = thread.at("/messages/1/metadata/chatId").stringValue();
            JsonNode stored = server.getJson("/api/assistant/chats/" + chat).get("messages");
            assertThat(stored).hasSize(4);
            assertThat(stored.at("/2/content/0/text").stringValue()).isEqualTo("second");
            assertThat(stored.at("/3/content/0/text").stringValue()).isEqualTo("two, again");
            assertThat(stored.at("/3/siblings")).hasSize(2);
        }
    }
}
