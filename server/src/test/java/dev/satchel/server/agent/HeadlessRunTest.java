package dev.satchel.server.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.satchel.protocol.Dispatch;
import dev.satchel.protocol.Json;
import dev.satchel.server.configuration.Configuration;
import dev.satchel.server.database.Dialect;
import dev.satchel.server.testing.MultipartBody;
import dev.satchel.server.testing.SandboxCalls;
import dev.satchel.server.testing.ScriptedSandbox;
import dev.satchel.server.testing.ScriptedSandbox.RunOnStage;
import dev.satchel.server.testing.TestConfiguration;
import dev.satchel.server.testing.TestServer;
import dev.satchel.server.testing.TestServer.Events;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class HeadlessRunTest {
    private ScriptedSandbox sandbox;
    private final SandboxCalls calls = new SandboxCalls();

    @BeforeEach
    void start() throws Exception {
        sandbox = new ScriptedSandbox();
    }

    @AfterEach
    void stop() {
        calls.close();
        sandbox.close();
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void aRunStreamsEveryLineAtOnce(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, sandbox.url())) {
            String agent = newAgent(server);
            try (Events lines = server.events(ndjson(server, agent, Map.of("prompt", "go")))) {
                JsonNode first = line(lines);
                assertThat(first.get("type").stringValue()).isEqualTo("run");
                assertThat(first.get("agentId").stringValue()).isEqualTo(agent);

                RunOnStage run = sandbox.next();
                run.say("{\"type\":\"log\",\"level\":\"info\",\"message\":\"warm\"}");
                assertThat(line(lines).get("message").stringValue()).isEqualTo("warm");
                run.stepStarts("s1", "work");
                assertThat(line(lines).get("status").stringValue()).isEqualTo("running");
                run.answers("Done.");

                assertThat(line(lines).get("message").stringValue()).isEqualTo("Done.");
                assertThat(line(lines).get("status").stringValue()).isEqualTo("succeeded");
                assertThat(lines.line()).isEmpty();
                assertThat(lines.response().headers().firstValue("Content-Type"))
                        .contains("application/x-ndjson");
            }
        }
    }

    @Test
    void theSandboxReceivesTheAgentAndNoChat() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            String agent = newAgent(server);
            FutureTask<HttpResponse<String>> answer = run(server, agent, "go");
            Dispatch dispatch = sandbox.next().dispatch();

            assertThat(dispatch.prompt()).isEqualTo("go");
            assertThat(dispatch.chatId()).isNull();
            assertThat(dispatch.conversation()).isNull();
            assertThat(calls.get(dispatch, "/env", dispatch.otpSetup()).body())
                    .isEqualTo("{\"variables\":{\"WHO\":\"me\"},\"script\":\"echo hi\"}");
            JsonNode config =
                    Json.MAPPER.readTree(calls.get(dispatch, "/config", dispatch.otpRun()).body());
            assertThat(config.get("system_prompt").stringValue()).isEqualTo("Be brief.");
            assertThat(config.get("max_rounds").intValue()).isEqualTo(4);
            assertThat(config.get("model").toString()).isEqualTo("{\"name\":\"m-1\"}");
            assertThat(config.at("/network/allow/0").stringValue()).isEqualTo("example.org");
            assertThat(config.has("chat_id")).isFalse();
            server.post("/api/runs/" + dispatch.sessionId() + "/cancel", Map.of());
            answer.get();
        }
    }

    @Test
    void anAgentWithoutANumberOfRoundsHasThatOfTheSettingNow(@TempDir Path data) throws Exception {
        String agent;
        try (TestServer server = withMaxRounds(data, 7)) {
            JsonNode saved =
                    Json.MAPPER.readTree(
                            server.post("/api/agents", Map.of("name", "plain")).body());
            agent = "/api/agents/" + saved.get("id").stringValue();
            assertThat(saved.get("maxRounds").intValue()).isEqualTo(7);
            server.send("PUT", agent, saved); // sent back as it was read
        }
        try (TestServer server = withMaxRounds(data, 9)) {
            assertThat(server.getJson(agent).get("maxRounds").intValue()).isEqualTo(9);
            server.send("PUT", agent, Map.of("name", "plain", "maxRounds", 8));
            assertThat(server.getJson(agent).get("maxRounds").intValue()).isEqualTo(8);
            server.send("PUT", agent, Map.of("name", "plain"));

            Map<String, String> go = Map.of("prompt", "go");
            FutureTask<HttpResponse<String>> answer =
                    new FutureTask<>(() -> server.post(agent + "/runs", go));
            Thread.startVirtualThread(answer);
            RunOnStage run = sandbox.next();
            JsonNode config =
                    Json.MAPPER.readTree(
                            calls.get(run.dispatch(), "/config", run.dispatch().otpRun()).body());
            assertThat(config.get("max_rounds").intValue()).isEqualTo(9);
            run.answers("Done.");
            answer.get();
        }
    }

    private TestServer withMaxRounds(Path data, int rounds) throws Exception {
        Configuration plain = TestServer.configuration(data, null, sandbox.url());
        return TestServer.start(TestConfiguration.withMaxRounds(plain, rounds), Clock.systemUTC());
    }

    @ParameterizedTest
    @EnumSource(Dialect.class)
    void theAnswerHasTheResponseAndTheFilesOfTheRun(Dialect dialect) throws Exception {
        try (TestServer server = TestServer.start(dialect, sandbox.url())) {
            FutureTask<HttpResponse<String>> answer = run(server, newAgent(server), "go");
            RunOnStage run = sandbox.next();
            String runPath = "/api/runs/" + run.dispatch().sessionId();
            calls.handIn(run.dispatch(), new MultipartBody().file("report.txt", "all good"));
            run.answers("See the report.");

            assertThat(answer.get().statusCode()).isEqualTo(200);
            JsonNode answered = Json.MAPPER.readTree(answer.get().body());
            assertThat(answered.get("runId").stringValue()).isEqualTo(run.dispatch().sessionId());
            assertThat(answered.get("status").stringValue()).isEqualTo("succeeded");
            assertThat(answered.get("response").stringValue()).isEqualTo("See the report.");
            assertThat(answered.has("error")).isFalse();
            assertThat(server.getJson(runPath + "/files").get("files"))
                    .isEqualTo(answered.get("files"));
            String file = runPath + "/files/" + answered.at("/files/0/id").stringValue();
            assertThat(server.get(file).body()).isEqualTo("all good");
            assertThat(server.get(file).headers().firstValue("Content-Disposition").orElse(""))
                    .contains("report.txt");
            String other = server.keyOf("other");
            assertThat(server.sendAs(other, "GET", file).statusCode()).isEqualTo(404);
            assertThat(server.sendAs(other, "GET", runPath + "/files").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aFailedRunIsAnsweredWithItsErrorAndItsFiles() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            FutureTask<HttpResponse<String>> answer = run(server, newAgent(server), "go");
            RunOnStage run = sandbox.next();
            calls.handIn(run.dispatch(), new MultipartBody().file("half.txt", "half"));
            run.say("{\"type\":\"error\",\"code\":\"model_timeout\",\"message\":\"Too slow.\"}")
                    .hangsUp();

            assertThat(answer.get().statusCode()).isEqualTo(200);
            JsonNode answered = Json.MAPPER.readTree(answer.get().body());
            assertThat(answered.get("status").stringValue()).isEqualTo("failed");
            assertThat(answered.has("response")).isFalse();
            assertThat(answered.get("error").toString())
                    .isEqualTo("{\"code\":\"model_timeout\",\"message\":\"Too slow.\"}");
            assertThat(answered.at("/files/0/name").stringValue()).isEqualTo("half.txt");
        }
    }

    @Test
    void aDisconnectedReaderOfLinesEndsTheRunAndItsSandbox() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            Events lines = server.events(ndjson(server, newAgent(server), Map.of("prompt", "go")));
            String runId = line(lines).get("runId").stringValue();
            RunOnStage run = sandbox.next();

            lines.close();

            assertThat(run.wasHungUpOn()).isTrue();
            assertThat(end(server, runId)).isEqualTo("cancelled");
        }
    }

    @Test
    void aDisconnectedCallerEndsTheRunAndItsSandbox() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            String agent = newAgent(server);
            Thread caller = Thread.startVirtualThread(run(server, agent, Map.of("prompt", "go")));
            RunOnStage run = sandbox.next();

            caller.interrupt(); // closes the connection of its client

            assertThat(run.wasHungUpOn()).isTrue();
            assertThat(end(server, run.dispatch().sessionId())).isEqualTo("cancelled");
        }
    }

    @Test
    void aRunContinuesWithoutItsCallerWhenAskedTo() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            Events lines =
                    server.events(
                            ndjson(
                                    server,
                                    newAgent(server),
                                    Map.of("prompt", "go", "onDisconnect", "continue")));
            String runId = line(lines).get("runId").stringValue();
            RunOnStage run = sandbox.next();

            lines.close();
            run.answers("Still here.");

            assertThat(end(server, runId)).isEqualTo("succeeded");
        }
    }

    @Test
    void cancelEndsTheRunAndItsSandboxAndMayBeRepeated() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            FutureTask<HttpResponse<String>> answer = run(server, newAgent(server), "go");
            RunOnStage run = sandbox.next();
            String cancel = "/api/runs/" + run.dispatch().sessionId() + "/cancel";

            assertThat(server.sendAs(server.keyOf("other"), "POST", cancel).statusCode())
                    .isEqualTo(404);
            HttpResponse<String> cancelled = server.post(cancel, Map.of());
            assertThat(cancelled.statusCode()).isEqualTo(202);
            assertThat(cancelled.body()).isEqualTo("{\"cancelled\":true}");
            assertThat(run.wasHungUpOn()).isTrue();
            assertThat(Json.MAPPER.readTree(answer.get().body()).get("status").stringValue())
                    .isEqualTo("cancelled");
            assertThat(server.post(cancel, Map.of()).body()).isEqualTo("{\"cancelled\":false}");
            assertThat(server.post(cancel, Map.of()).statusCode()).isEqualTo(202);
        }
    }

    @Test
    void aRunOfAChatShowsOnlyTheFilesItWroteBack() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            String chat = server.newChat();
            server.upload(chat, "mine.txt", "from a person");
            String first = turnThatHandsIn(server, chat, "one.txt");
            String second = turnThatHandsIn(server, chat, "two.txt");

            assertThat(fileNames(server, first)).containsExactly("one.txt");
            assertThat(fileNames(server, second)).containsExactly("two.txt");
        }
    }

    @Test
    void withoutASandboxNoRunStarts() throws Exception {
        try (TestServer server = TestServer.start((java.net.URI) null)) {
            HttpResponse<String> refused =
                    server.post(
                            "/api/agents/" + newAgent(server) + "/runs", Map.of("prompt", "go"));

            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("sandbox_not_configured");
        }
    }

    @Test
    void anInvalidRequestOrAnUnknownAgentDispatchesNothing() throws Exception {
        try (TestServer server = TestServer.start(sandbox.url())) {
            String runs = "/api/agents/" + newAgent(server) + "/runs";

            assertThat(server.post(runs, Map.of()).body()).contains("prompt is required");
            assertThat(server.post(runs, Map.of("prompt", "x", "onDisconnect", "y")).body())
                    .contains("onDisconnect must be");
            String unknown = "/api/agents/00000000-0000-0000-0000-000000000000/runs";
            assertThat(server.post(unknown, Map.of("prompt", "x")).statusCode()).isEqualTo(404);
            assertThat(sandbox.nothingDispatched()).isTrue();
        }
    }

    private static String newAgent(TestServer server) throws Exception {
        Map<String, Object> agent =
                Map.of(
                        "name",
                        "worker",
                        "systemPrompt",
                        "Be brief.",
                        "model",
                        Map.of("name", "m-1"),
                        "variables",
                        Map.of("WHO", "me"),
                        "script",
                        "echo hi",
                        "maxRounds",
                        4,
                        "allowedHosts",
                        List.of("example.org"));
        return Json.MAPPER
                .readTree(server.post("/api/agents", agent).body())
                .get("id")
                .stringValue();
    }

    private static HttpRequest ndjson(TestServer server, String agent, Map<String, ?> body) {
        return server.request("/api/agents/" + agent + "/runs")
                .header("Accept", "application/x-ndjson")
                .POST(BodyPublishers.ofString(Json.MAPPER.writeValueAsString(body)))
                .build();
    }

    private static FutureTask<HttpResponse<String>> run(
            TestServer server, String agent, String prompt) {
        FutureTask<HttpResponse<String>> answer = run(server, agent, Map.of("prompt", prompt));
        Thread.startVirtualThread(answer);
        return answer;
    }

    private static FutureTask<HttpResponse<String>> run(
            TestServer server, String agent, Map<String, ?> body) {
        return new FutureTask<>(() -> server.post("/api/agents/" + agent + "/runs", body));
    }

    private static JsonNode line(Events lines) throws Exception {
        return Json.MAPPER.readTree(lines.line().orElseThrow());
    }

    /** Waits for the end of the run and returns its status. */
    private static String end(TestServer server, String runId) throws Exception {
        try (Events events =
                server.events(server.request("/api/runs/" + runId + "/events").build())) {
            return events.rest().getLast().data().get("status").stringValue();
        }
    }

    private String turnThatHandsIn(TestServer server, String chat, String name) throws Exception {
        try (Events events = server.turn(Map.of("message", "make " + name, "chatId", chat))) {
            RunOnStage run = sandbox.next();
            calls.handIn(run.dispatch(), new MultipartBody().file(name, "made"));
            run.answers("made");
            events.rest();
            return run.dispatch().sessionId();
        }
    }

    private static List<String> fileNames(TestServer server, String runId) throws Exception {
        return server.getJson("/api/runs/" + runId + "/files")
                .get("files")
                .valueStream()
                .map(file -> file.get("name").stringValue())
                .toList();
    }
}
