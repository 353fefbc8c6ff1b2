package dev.satchel.server.model;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Turns, agents and headless runs name a model of the registry, and the runner receives it. */
class ModelChoiceTest {
    private static final String MODELS =
            """
            {"models":[
              {"id":"swift","provider":"openai","name":"gpt-5-mini"},
              {"id":"deep","provider":"anthropic","name":"claude-opus-4-6","fallback":"swift"},
              {"id":"home","provider":"openai-compatible","name":"qwen3","baseUrl":"http://10.0.0.7/v1"}
            ]}
            """;

    @TempDir Path data;
    private final SandboxCalls calls = new SandboxCalls();
    private ScriptedSandbox sandbox;
    private TestServer server;

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
        List<String> problems = new ArrayList<>();
        server =
                TestServer.start(
                        TestConfiguration.withModels(
                                TestServer.configuration(data, null, sandbox.url()),
                                ModelsFileParser.parse(MODELS, problems)),
                        Clock.systemUTC());
        assertThat(problems).isEmpty();
    }

    @AfterEach
    void stop() {
        server.close();
        sandbox.close();
        calls.close();
    }

    @Test
    void theListHasNoKeysAndNoAddresses() throws Exception {
        JsonNode models = server.getJson("/api/models").get("models");

        assertThat(models.get(0))
                .isEqualTo(
                        Json.MAPPER.readTree(
                                """
                                {"id":"swift","provider":"openai","name":"gpt-5-mini","default":true,
                                 "contextTokens":400000}
                                """));
        assertThat(models.get(2).get("contextTokens").isNull()).isTrue();
        assertThat(models.toString()).doesNotContain("10.0.0.7", "KEY");
    }

    @Test
    void aTurnNamesItsModelAndTheRunnerGetsItsFallbacks() throws Exception {
        JsonNode model = modelOfTurn(Map.of("message", "hello", "model", "deep"));

        assertThat(model)
                .isEqualTo(
                        Json.MAPPER.readTree(
                                """
                                {"id":"deep","provider":"anthropic","name":"claude-opus-4-6",
                                 "api_key_env":"ANTHROPIC_API_KEY","context_tokens":200000,
                                 "fallback":{"id":"swift","provider":"openai","name":"gpt-5-mini",
                                   "api_key_env":"OPENAI_API_KEY","context_tokens":400000}}
                                """));
    }

    @Test
    void aTurnThatNamesNoneHasTheDefault() throws Exception {
        assertThat(modelOfTurn(Map.of("message", "hello")).get("id").stringValue())
                .isEqualTo("swift");
    }

    @Test
    void anUnknownIdIsRefusedWithTheKnownOnes() throws Exception {
        String expected = "model is not a model of this server: best; known are swift, deep, home";

        HttpResponse<String> turn =
                server.post("/api/assistant/chat/stream", Map.of("message", "hi", "model", "best"));
        HttpResponse<String> agent =
                server.post("/api/agents", Map.of("name", "a", "model", "best"));
        String known = newAgent(Map.of("name", "b"));
        HttpResponse<String> run =
                server.post(
                        "/api/agents/" + known + "/runs", Map.of("prompt", "go", "model", "best"));

        for (HttpResponse<String> refused : List.of(turn, agent, run)) {
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(Json.MAPPER.readTree(refused.body()).get("detail").stringValue())
                    .isEqualTo(expected);
        }
        assertThat(sandbox.nothingDispatched()).isTrue();
    }

    @Test
    void anAgentNamesItsModelAndIsReadAsItWasSent() throws Exception {
        String agent = newAgent(Map.of("name", "clerk", "model", "deep"));

        JsonNode read = server.getJson("/api/agents/" + agent);
        assertThat(read.get("model").stringValue()).isEqualTo("deep");
        assertThat(server.send("PUT", "/api/agents/" + agent, read).statusCode()).isEqualTo(200);
        assertThat(modelOfRun(agent, Map.of("prompt", "go")).get("id").stringValue())
                .isEqualTo("deep");
    }

    @Test
    void aHeadlessRunNamesAnotherModelThanItsAgent() throws Exception {
        String agent = newAgent(Map.of("name", "clerk", "model", "deep"));

        JsonNode model = modelOfRun(agent, Map.of("prompt", "go", "model", "home"));

        assertThat(model.get("id").stringValue()).isEqualTo("home");
        assertThat(model.get("base_url").stringValue()).isEqualTo("http://10.0.0.7/v1");
    }

    @Test
    void aFormNamesAModelToo() throws Exception {
        String agent = newAgent(Map.of("name", "clerk"));
        Thread sender =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                var _ =
                                        server.send(
                                                server.request("/api/agents/" + agent + "/runs")
                                                        .header(
                                                                "Content-Type",
                                                                MultipartBody.CONTENT_TYPE)
                                                        .POST(
                                                                new MultipartBody()
                                                                        .field("prompt", "go")
                                                                        .field("model", "home")
                                                                        .publisher())
                                                        .build());
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        });

        assertThat(modelOfNextRun().get("id").stringValue()).isEqualTo("home");
        sender.join();
    }

    @Test
    void anAgentsOwnDescriptionIsSentAsItIs() throws Exception {
        Map<String, String> own =
                Map.of("provider", "openai", "name", "m-1", "baseUrl", "https://example.org/v1");
        String agent = newAgent(Map.of("name", "own", "model", own));

        assertThat(modelOfRun(agent, Map.of("prompt", "go")))
                .isEqualTo(
                        Json.MAPPER.readTree(
                                """
                                {"provider":"openai","name":"m-1","base_url":"https://example.org/v1"}
                                """));
    }

    @Test
    void aSessionNamesAModelOfTheRegistry() throws Exception {
        String _ = newAgent(Map.of("name", "clerk"));
        HttpResponse<String> session =
                server.post("/api/sessions", Map.of("agent", "clerk", "model", "deep"));
        String id = Json.MAPPER.readTree(session.body()).at("/session/id").stringValue();
        Thread sender = post("/api/sessions/" + id + "/messages", Map.of("content", "hi"));

        assertThat(modelOfNextRun().get("id").stringValue()).isEqualTo("deep");
        sender.join();
    }

    private JsonNode modelOfTurn(Map<String, ?> body) throws Exception {
        Thread sender = post("/api/assistant/chat/stream", body);
        JsonNode model = modelOfNextRun();
        sender.join();
        return model;
    }

    private JsonNode modelOfRun(String agent, Map<String, ?> body) throws Exception {
        Thread sender = post("/api/agents/" + agent + "/runs", body);
        JsonNode model = modelOfNextRun();
        sender.join();
        return model;
    }

    private Thread post(String path, Map<String, ?> body) {
        return Thread.startVirtualThread(
                () -> {
                    try {
                        var _ = server.post(path, body);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    /** What the next run receives; it is answered then. */
    private JsonNode modelOfNextRun() throws Exception {
        var run = sandbox.next();
        Dispatch dispatch = run.dispatch();
        String config = calls.get(dispatch, "/config", requireNonNull(dispatch.otpRun())).body();
        run.answers("done");
        return Json.MAPPER.readTree(config).get("model");
    }

    private String newAgent(Map<String, ?> agent) throws Exception {
        HttpResponse<String> made = server.post("/api/agents", agent);
        assertThat(made.statusCode()).isEqualTo(201);
        return Json.MAPPER.readTree(made.body()).get("id").stringValue();
    }
}
