package dev.satchel.server.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Json;
import dev.satchel.server.testing.AskScript;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Chat completions and models with the official package of npm, as chat pages call them. */
class OpenAiClientTest extends OpenAiFixture {
    private static final String MODEL = "satchel";

    @Test
    void modelsAreTheDefaultTheAgentsAndTheRegistry() throws Exception {
        server.post("/api/agents", Map.of("name", "Reader of reports", "systemPrompt", "Read."));
        order("models", Map.of());
        assertThat(result().valueStream().map(model -> model.get("id").stringValue()))
                .contains("satchel", "agent:Reader of reports", "scripted");
        order("model", Map.of("id", "agent:Reader of reports"));
        assertThat(result().get("object").stringValue()).isEqualTo("model");
        order("model", Map.of("id", "gpt-5"));
        assertThat(refused().get("code").stringValue()).isEqualTo("model_not_found");
    }

    @Test
    void anAnswerStreamsWithItsStepsAsReasoningAndItsFilesAsLinks() throws Exception {
        order("stream", body(true, said("system", "Be short."), said("user", "make a report")));
        RunOnStage run = sandbox.next();
        try (SandboxCalls calls = new SandboxCalls()) {
            String config = calls.get(run.dispatch(), "/config", run.dispatch().otpRun()).body();
            JsonNode read = Json.MAPPER.readTree(config);
            assertThat(read.get("prompt").stringValue()).isEqualTo("make a report");
            assertThat(read.get("system_prompt").stringValue()).isEqualTo("Be short.");
            run.say("{\"type\":\"thinking\",\"text\":\"They want a report.\"}");
            run.say("{\"type\":\"delta\",\"text\":\"I will look.\"}");
            run.stepStarts("s1", "bash").stepSucceeds("s1", "bash");
            calls.handIn(run.dispatch(), new MultipartBody().file("report.csv", "a,b\n"));
            run.say(
                    "{\"type\":\"usage\",\"model\":\"m\",\"inputTokens\":7,\"outputTokens\":8,"
                            + "\"cacheReadTokens\":5,\"cacheWriteTokens\":0}");
            run.answers("Here it is.");
        }
        List<JsonNode> chunks = streamed();
        String text = deltas(chunks, "content");
        String link = text.substring(text.indexOf('('), text.indexOf(')')).substring(1);
        assertThat(text).isEqualTo("I will look.\n\nHere it is.\n\n[report.csv](" + link + ")");
        assertThat(server.get(URI.create(link).getPath()).body()).isEqualTo("a,b\n");
        assertThat(deltas(chunks, "reasoning_content"))
                .contains("They want a report.", "`bash` {}");
        JsonNode usage = chunks.getLast().get("usage");
        assertThat(usage.get("prompt_tokens").intValue()).isEqualTo(12);
        assertThat(usage.get("completion_tokens").intValue()).isEqualTo(8);
        assertThat(chunks.get(chunks.size() - 2).at("/choices/0/finish_reason").stringValue())
                .isEqualTo("stop");
    }

    @Test
    void theNextRequestGoesOnInTheSameConversation() throws Exception {
        complete(List.of(said("user", "remember blue")), "Noted: blue.");
        String chat = chats().getFirst();
        int before = chats().size();
        List<Map<String, Object>> next =
                List.of(
                        said("system", "Today is Wednesday."),
                        said("user", "remember blue"),
                        said("assistant", "Noted: blue. "),
                        said("user", "which colour?"));
        complete(next, "Blue.");
        assertThat(chats()).hasSize(before).startsWith(chat);
        assertThat(thread(chat))
                .containsExactly(
                        "user:remember blue",
                        "assistant:Noted: blue.",
                        "user:which colour?",
                        "assistant:Blue.");
    }

    @Test
    void anEditedMessageIsABranchOfTheConversation() throws Exception {
        complete(List.of(said("user", "remember pink")), "Noted: pink.");
        String chat = chats().getFirst();
        List<Map<String, Object>> before =
                List.of(said("user", "remember pink"), said("assistant", "Noted: pink."));
        complete(with(before, said("user", "which colour?")), "Pink.");
        complete(with(before, said("user", "which colour, in French?")), "Rose.");
        assertThat(chats()).startsWith(chat);
        assertThat(thread(chat))
                .containsExactly(
                        "user:remember pink",
                        "assistant:Noted: pink.",
                        "user:which colour, in French?",
                        "assistant:Rose.");
    }

    /** Such as an edited answer, or a chat that began with another model. */
    @Test
    void aThreadThatNoConversationHasBecomesANewOne() throws Exception {
        complete(List.of(said("user", "remember red")), "Noted: red.");
        String first = chats().getFirst();
        complete(
                List.of(
                        said("user", "remember red"),
                        said("assistant", "Noted: green."),
                        said("user", "which colour?")),
                "Green.");
        String second = chats().getFirst();
        assertThat(second).isNotEqualTo(first);
        assertThat(thread(second))
                .containsExactly(
                        "user:remember red",
                        "assistant:Noted: green.",
                        "user:which colour?",
                        "assistant:Green.");
        assertThat(thread(first)).hasSize(2);
    }

    @Test
    void aChatIsFoundByItsName() throws Exception {
        Map<String, Object> named =
                Map.of(
                        "model",
                        MODEL,
                        "metadata",
                        Map.of("satchel_chat", "my chat"),
                        "messages",
                        List.of(said("user", "one")));
        order("complete", Map.of("body", named));
        sandbox.next().answers("1");
        result();
        String chat = chats().getFirst();
        order("complete", Map.of("body", named));
        sandbox.next().answers("1 again");
        result();
        assertThat(chats().getFirst()).isEqualTo(chat);
        assertThat(thread(chat)).hasSize(4);
    }

    @Test
    void filesInAMessageAreFilesOfTheChat() throws Exception {
        String data = Base64.getEncoder().encodeToString("n".getBytes(StandardCharsets.UTF_8));
        Map<String, Object> file =
                Map.of(
                        "type",
                        "file",
                        "file",
                        Map.of("filename", "n.txt", "file_data", "data:text/plain;base64," + data));
        Map<String, Object> image =
                Map.of(
                        "type",
                        "image_url",
                        "image_url",
                        Map.of("url", "data:image/png;base64," + data));
        Map<String, Object> text = Map.of("type", "text", "text", "read this");
        complete(List.of(Map.of("role", "user", "content", List.of(text, file, image))), "read");
        JsonNode files =
                server.getJson("/api/assistant/chats/" + chats().getFirst() + "/files")
                        .get("files");
        assertThat(files.valueStream().map(one -> one.get("name").stringValue()))
                .containsExactlyInAnyOrder("n.txt", "file.png");
    }

    @Test
    void aPersonAnswersWithTheNextMessage() throws Exception {
        order("complete", body(false, said("user", "clean up")));
        AskScript.asks(sandbox.next(), AskScript.APPROVAL);
        String asked = result().at("/choices/0/message/content").stringValue();
        assertThat(asked).contains("May I call `sh`", "rm -r build", "yes or no");

        order(
                "complete",
                body(
                        false,
                        said("user", "clean up"),
                        said("assistant", asked),
                        said("user", "Yes.")));
        RunOnStage next = sandbox.next();
        assertThat(AskScript.answers(next).at("/0/decision").stringValue()).isEqualTo("allow");
        next.stepStarts("call_1_0", "sh").stepSucceeds("call_1_0", "sh").answers("Done.");
        assertThat(result().at("/choices/0/message/content").stringValue()).isEqualTo("Done.");

        String chat = chats().getFirst();
        complete(
                List.of(
                        said("user", "clean up"),
                        said("assistant", asked),
                        said("user", "Yes."),
                        said("assistant", "Done."),
                        said("user", "thanks")),
                "You are welcome.");
        assertThat(chats()).startsWith(chat);
    }

    @Test
    void aRetryIsMarkedInAStreamAndTheThreadGoesOn() throws Exception {
        order("stream", body(false, said("user", "count")));
        RunOnStage run = sandbox.next();
        run.say("{\"type\":\"delta\",\"text\":\"One, t\"}");
        run.say(
                "{\"type\":\"retry\",\"attempt\":1,\"delayMs\":1,\"code\":\"529\",\"message\":\"busy\"}");
        run.say("{\"type\":\"delta\",\"text\":\"One, two.\"}").answers("One, two.");
        String text = deltas(streamed(), "content");
        assertThat(text).startsWith("One, t\n\n*This answer begins again.*").endsWith("One, two.");
        String chat = chats().getFirst();

        complete(
                List.of(said("user", "count"), said("assistant", text), said("user", "on")),
                "Three.");
        assertThat(chats().getFirst()).isEqualTo(chat);
    }

    @Test
    void aFailureAndWhatIsNotOfferedAreErrorsOfOpenAi() throws Exception {
        order("complete", body(false, said("user", "fail")));
        sandbox.next()
                .say("{\"type\":\"error\",\"code\":\"model_unavailable\",\"message\":\"away\"}")
                .hangsUp();
        JsonNode failed = refused();
        assertThat(failed.get("status").intValue()).isEqualTo(500);
        assertThat(failed.get("code").stringValue()).isEqualTo("model_unavailable");

        order("stream", body(false, said("user", "fail")));
        sandbox.next()
                .say("{\"type\":\"error\",\"code\":\"model_unavailable\",\"message\":\"away\"}")
                .hangsUp();
        assertThat(refused().get("message").stringValue()).contains("away");

        order(
                "complete",
                Map.of(
                        "body",
                        Map.of(
                                "model",
                                MODEL,
                                "messages",
                                List.of(said("user", "hi")),
                                "tools",
                                List.of(Map.of("type", "function")))));
        JsonNode refused = refused();
        assertThat(refused.get("status").intValue()).isEqualTo(400);
        assertThat(refused.get("type").stringValue()).isEqualTo("invalid_request_error");
        assertThat(refused.get("code").stringValue()).isEqualTo("unsupported_parameter");
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    private static List<Map<String, Object>> with(
            List<Map<String, Object>> messages, Map<String, Object> next) {
        List<Map<String, Object>> all = new ArrayList<>(messages);
        all.add(next);
        return all;
    }

    private void complete(List<Map<String, Object>> messages, String answer) throws Exception {
        order("complete", Map.of("body", Map.of("model", MODEL, "messages", messages)));
        sandbox.next().answers(answer);
        assertThat(result().at("/choices/0/message/content").stringValue()).isEqualTo(answer);
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private static Map<String, Object> body(boolean usage, Map<String, Object>... messages) {
        return Map.of(
                "body",
                usage
                        ? Map.of(
                                "model",
                                MODEL,
                                "messages",
                                List.of(messages),
                                "stream_options",
                                Map.of("include_usage", true))
                        : Map.of("model", MODEL, "messages", List.of(messages)));
    }
}
